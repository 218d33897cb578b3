// cuSPARSE's SDDMM: one dot product per edge, set up once.
#pragma once

#include <memory>
#include <vector>

#include "../harness/candidate.cuh"
#include "../harness/operands.hpp"
#include "cusparse_handle.cuh"

namespace edgewise::bench {

/// out = sampled(left * right^T) at the graph's edges, with descriptors, workspace and preprocessing made once.
template <class T>
class cusparse_sddmm {
public:
  /// Synchronises `stream`. Throws `cusparse_error` when the library refuses these operands.
  cusparse_sddmm(cusparse_handle const& handle, edge_dot_operands<T> const& o, cudaStream_t stream,
                 counted_memory const& memory)
      : handle_(&handle),
        memory_(memory),
        left_(cusparse_dense(o.left, o.rows.num_rows, o.channels, o.row_stride)),
        right_(cusparse_dense(o.right, o.rows.num_neighbors, o.channels, o.row_stride)) {
    cusparseSpMatDescr_t matrix = nullptr;
    // the call reads the structure and writes the values alone, but has no descriptor that says so
    check_cusparse(
        cusparseCreateCsr(&matrix, o.rows.num_rows, o.rows.num_neighbors, o.rows.num_edges,
                          const_cast<std::int32_t*>(o.rows.offsets), const_cast<std::int32_t*>(o.rows.neighbors), o.out,
                          CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, element<T>::cuda_type),
        "cusparseCreateCsr");
    matrix_.reset(matrix);
    std::size_t bytes = 0;
    check_cusparse(cusparseSDDMM_bufferSize(handle_->on(stream), plain, transposed, &one, left_.get(), right_.get(),
                                            &zero, matrix_.get(), CUDA_R_32F, CUSPARSE_SDDMM_ALG_DEFAULT, &bytes),
                   "cusparseSDDMM_bufferSize");
    workspace_ = make_array<std::byte>(bytes, stream, memory_.get());
    check_cusparse(
        cusparseSDDMM_preprocess(handle_->on(stream), plain, transposed, &one, left_.get(), right_.get(), &zero,
                                 matrix_.get(), CUDA_R_32F, CUSPARSE_SDDMM_ALG_DEFAULT, workspace_.data()),
        "cusparseSDDMM_preprocess");
    check_cuda(cudaStreamSynchronize(stream), "cusparseSDDMM_preprocess: synchronize");
  }

  void operator()(cudaStream_t stream) {
    check_cusparse(cusparseSDDMM(handle_->on(stream), plain, transposed, &one, left_.get(), right_.get(), &zero,
                                 matrix_.get(), CUDA_R_32F, CUSPARSE_SDDMM_ALG_DEFAULT, workspace_.data()),
                   "cusparseSDDMM");
  }

private:
  static constexpr auto plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
  static constexpr auto transposed = CUSPARSE_OPERATION_TRANSPOSE;  // of `right`, which is stored [neighbors, channels]
  static constexpr float one = 1, zero = 0;

  cusparse_handle const* handle_;
  counted_memory memory_;
  cusparse_owned<cusparseDnMatDescr const> left_;
  cusparse_owned<cusparseDnMatDescr const> right_;
  cusparse_owned<cusparseSpMatDescr> matrix_;
  device_buffer<std::byte> workspace_;
};

/// cuSPARSE's one algorithm for these operands. `handle` must outlive the candidates.
template <class T>
std::vector<candidate> cusparse_edge_dot(cusparse_handle const& handle, edge_dot_operands<T> const& operands,
                                         cudaStream_t stream) {
  auto const memory = make_counted_memory();
  return {{"sddmm_default",
           [&handle, operands, stream, memory]() -> launch_function {
             auto product = std::make_shared<cusparse_sddmm<T>>(handle, operands, stream, memory);
             return [product](cudaStream_t s) { (*product)(s); };
           },
           memory}};
}

}  // namespace edgewise::bench
