// cuSPARSE's SpMM (SpMV for one channel) over CSR: every algorithm, set up once, as candidates for the same timing.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "../harness/candidate.cuh"
#include "../harness/operands.hpp"
#include "cusparse_handle.cuh"

namespace edgewise::bench {

/// out = A * X with descriptors, workspace and preprocessing made once. Scalars and sums are float.
/// A transposed product is the plain product with the other grouping: cuSPARSE's transposed kernels use atomics.
template <class T>
class cusparse_spmm {
public:
  /// Synchronises `stream`. Throws `cusparse_error` when the library refuses the algorithm for these operands.
  cusparse_spmm(cusparse_handle const& handle, weighted_sum_operands<T> const& o, cusparseSpMMAlg_t algorithm,
                cudaStream_t stream, counted_memory const& memory)
      : cusparse_spmm(handle, o, cusparse_csr(o.rows, o.weights), algorithm, stream, memory) {}

  /// Sets the product up with the edges of `o` as a matrix of any format.
  cusparse_spmm(cusparse_handle const& handle, weighted_sum_operands<T> const& o,
                cusparse_owned<cusparseSpMatDescr const> matrix, cusparseSpMMAlg_t algorithm, cudaStream_t stream,
                counted_memory const& memory)
      : handle_(&handle),
        memory_(memory),
        algorithm_(algorithm),
        matrix_(std::move(matrix)),
        features_(cusparse_dense(o.features, o.rows.num_neighbors, o.channels, o.row_stride)),
        out_(cusparse_dense(o.out, o.rows.num_rows, o.channels, o.row_stride)) {
    std::size_t bytes = 0;
    check_cusparse(cusparseSpMM_bufferSize(handle_->on(stream), no_transpose, no_transpose, &one, matrix_.get(),
                                           features_.get(), &zero, out_.get(), CUDA_R_32F, algorithm_, &bytes),
                   "cusparseSpMM_bufferSize");
    workspace_ = make_array<std::byte>(bytes, stream, memory_.get());
    check_cusparse(
        cusparseSpMM_preprocess(handle_->on(stream), no_transpose, no_transpose, &one, matrix_.get(), features_.get(),
                                &zero, out_.get(), CUDA_R_32F, algorithm_, workspace_.data()),
        "cusparseSpMM_preprocess");
    check_cuda(cudaStreamSynchronize(stream), "cusparseSpMM_preprocess: synchronize");
  }

  void operator()(cudaStream_t stream) {
    check_cusparse(cusparseSpMM(handle_->on(stream), no_transpose, no_transpose, &one, matrix_.get(), features_.get(),
                                &zero, out_.get(), CUDA_R_32F, algorithm_, workspace_.data()),
                   "cusparseSpMM");
  }

private:
  static constexpr auto no_transpose = CUSPARSE_OPERATION_NON_TRANSPOSE;
  static constexpr float one = 1, zero = 0;

  cusparse_handle const* handle_;
  counted_memory memory_;
  cusparseSpMMAlg_t algorithm_;
  cusparse_owned<cusparseSpMatDescr const> matrix_;
  cusparse_owned<cusparseDnMatDescr const> features_;
  cusparse_owned<cusparseDnMatDescr> out_;
  device_buffer<std::byte> workspace_;
};

/// out = A * x for one channel, set up once.
template <class T>
class cusparse_spmv {
public:
  /// Synchronises `stream`. Throws `cusparse_error` when the library refuses the algorithm for these operands.
  cusparse_spmv(cusparse_handle const& handle, weighted_sum_operands<T> const& o, cusparseSpMVAlg_t algorithm,
                cudaStream_t stream, counted_memory const& memory)
      : handle_(&handle), memory_(memory), algorithm_(algorithm), matrix_(cusparse_csr(o.rows, o.weights)) {
    cusparseConstDnVecDescr_t features = nullptr;
    cusparseDnVecDescr_t out = nullptr;
    check_cusparse(cusparseCreateConstDnVec(&features, o.rows.num_neighbors, o.features, element<T>::cuda_type),
                   "cusparseCreateConstDnVec");
    features_.reset(features);
    check_cusparse(cusparseCreateDnVec(&out, o.rows.num_rows, o.out, element<T>::cuda_type), "cusparseCreateDnVec");
    out_.reset(out);
    std::size_t bytes = 0;
    check_cusparse(cusparseSpMV_bufferSize(handle_->on(stream), no_transpose, &one, matrix_.get(), features_.get(),
                                           &zero, out_.get(), CUDA_R_32F, algorithm_, &bytes),
                   "cusparseSpMV_bufferSize");
    workspace_ = make_array<std::byte>(bytes, stream, memory_.get());
    check_cusparse(cusparseSpMV_preprocess(handle_->on(stream), no_transpose, &one, matrix_.get(), features_.get(),
                                           &zero, out_.get(), CUDA_R_32F, algorithm_, workspace_.data()),
                   "cusparseSpMV_preprocess");
    check_cuda(cudaStreamSynchronize(stream), "cusparseSpMV_preprocess: synchronize");
  }

  void operator()(cudaStream_t stream) {
    check_cusparse(cusparseSpMV(handle_->on(stream), no_transpose, &one, matrix_.get(), features_.get(), &zero,
                                out_.get(), CUDA_R_32F, algorithm_, workspace_.data()),
                   "cusparseSpMV");
  }

private:
  static constexpr auto no_transpose = CUSPARSE_OPERATION_NON_TRANSPOSE;
  static constexpr float one = 1, zero = 0;

  cusparse_handle const* handle_;
  counted_memory memory_;
  cusparseSpMVAlg_t algorithm_;
  cusparse_owned<cusparseSpMatDescr const> matrix_;
  cusparse_owned<cusparseDnVecDescr const> features_;
  cusparse_owned<cusparseDnVecDescr> out_;
  device_buffer<std::byte> workspace_;
};

/// Every CSR algorithm of cuSPARSE for these operands. `handle` must outlive the candidates.
template <class T>
std::vector<candidate> cusparse_weighted_sum(cusparse_handle const& handle, weighted_sum_operands<T> const& operands,
                                             cudaStream_t stream) {
  std::vector<candidate> candidates;
  auto add = [&]<class Product, class Algorithm>(std::type_identity<Product>, char const* name, Algorithm algorithm) {
    auto const memory = make_counted_memory();
    candidates.push_back({name,
                          [&handle, operands, algorithm, stream, memory]() -> launch_function {
                            // std::function copies; the descriptors have one owner
                            auto product = std::make_shared<Product>(handle, operands, algorithm, stream, memory);
                            return [product](cudaStream_t s) { (*product)(s); };
                          },
                          memory});
  };
  if (operands.channels == 1 && operands.row_stride == 1) {
    std::type_identity<cusparse_spmv<T>> product;
    add(product, "spmv_default", CUSPARSE_SPMV_ALG_DEFAULT);
    add(product, "spmv_csr_alg1", CUSPARSE_SPMV_CSR_ALG1);
    add(product, "spmv_csr_alg2", CUSPARSE_SPMV_CSR_ALG2);
  } else {
    std::type_identity<cusparse_spmm<T>> product;
    add(product, "spmm_default", CUSPARSE_SPMM_ALG_DEFAULT);
    add(product, "spmm_csr_alg1", CUSPARSE_SPMM_CSR_ALG1);
    add(product, "spmm_csr_alg2", CUSPARSE_SPMM_CSR_ALG2);
    add(product, "spmm_csr_alg3", CUSPARSE_SPMM_CSR_ALG3);
  }
  return candidates;
}

}  // namespace edgewise::bench
