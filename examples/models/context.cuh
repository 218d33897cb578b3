// The CUDA device as the models see it: a stream, a cuBLAS handle bound to it, and a kernel for elementwise loops.
#pragma once

#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include <edgewise/core/device_memory.cuh>
#include <edgewise/core/launch.cuh>
#include <edgewise/engine/cuda/engine.cuh>

#include "models/context.hpp"

namespace edgewise::models {
namespace detail {

/// Throws `cuda_error` naming `what` unless `status` is success; the code is the cublasStatus_t.
inline void check_cublas(cublasStatus_t status, char const* what) {
  if (status != CUBLAS_STATUS_SUCCESS) {
    throw cuda_error(static_cast<int>(status), edgewise::detail::text(what, ": ", cublasGetStatusString(status)));
  }
}

struct cublas_deleter {
  void operator()(cublasHandle_t handle) const { cublasDestroy(handle); }
};

template <class Body>
__global__ void for_each_kernel(std::int64_t size, __grid_constant__ Body const body) {
  std::int64_t const i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < size) body(i);
}

}  // namespace detail

/// The current CUDA device on one stream. Everything but `synchronize`, `download` and construction is asynchronous
/// and may be captured in a CUDA graph; products run in full single precision (no TF32), so they agree with the host's.
/// Move-only. Everything made by `make_buffer` must be gone before the resource's stream and memory are.
template <>
class context<cuda> {
public:
  using resource_type = cuda;
  using space = device_space;

  explicit context(cuda resource = {}) : resource_(resource) {
    if (resource_.memory == nullptr) resource_.memory = device_memory();
    workspace_ = device_buffer<unsigned char>(workspace_bytes, resource_.memory, resource_.stream);
    cublasHandle_t handle = nullptr;
    detail::check_cublas(cublasCreate(&handle), "context: cublasCreate");
    blas_.reset(handle);
    detail::check_cublas(cublasSetStream(handle, resource_.stream), "context: cublasSetStream");
    // A workspace of our own: with cuBLAS's default one, a captured graph would allocate at every replay.
    detail::check_cublas(cublasSetWorkspace(handle, workspace_.data(), workspace_bytes), "context: cublasSetWorkspace");
    detail::check_cublas(cublasSetMathMode(handle, CUBLAS_DEFAULT_MATH), "context: cublasSetMathMode");  // no TF32
  }

  cuda const& resource() const { return resource_; }

  template <class T>
  buffer<T, space> make_buffer(std::int64_t size) const {
    return buffer<T, space>(static_cast<std::size_t>(size), resource_.memory, resource_.stream);
  }

  template <class Body>
  void for_each(std::int64_t size, Body const& body) const {
    constexpr int threads = 256;
    if (size == 0) return;
    auto const blocks = static_cast<unsigned>((size + threads - 1) / threads);
    edgewise::detail::launch_kernel("for_each: launch", detail::for_each_kernel<Body>, blocks, threads,
                                    resource_.stream, size, body);
  }

  // Row-major c = a b is column-major c^T = b^T a^T: the operands swap places and nothing is copied.
  void gemm(transpose op_a, transpose op_b, std::int64_t m, std::int64_t n, std::int64_t k, float const* a,
            std::int64_t a_cols, float const* b, std::int64_t b_cols, float* c) const {
    float const one = 1.0F;
    float const zero = 0.0F;
    detail::check_cublas(
        cublasSgemm(blas_.get(), cublas(op_b), cublas(op_a), detail::blas_extent(n), detail::blas_extent(m),
                    detail::blas_extent(k), &one, b, detail::leading_dimension(b_cols), a,
                    detail::leading_dimension(a_cols), &zero, c, detail::leading_dimension(n)),
        "gemm: cublasSgemm");
  }
  void gemm(transpose op_a, transpose op_b, std::int64_t m, std::int64_t n, std::int64_t k, double const* a,
            std::int64_t a_cols, double const* b, std::int64_t b_cols, double* c) const {
    double const one = 1.0;
    double const zero = 0.0;
    detail::check_cublas(
        cublasDgemm(blas_.get(), cublas(op_b), cublas(op_a), detail::blas_extent(n), detail::blas_extent(m),
                    detail::blas_extent(k), &one, b, detail::leading_dimension(b_cols), a,
                    detail::leading_dimension(a_cols), &zero, c, detail::leading_dimension(n)),
        "gemm: cublasDgemm");
  }

  template <class T>
  void fill_zero(T* data, std::int64_t size) const {
    if (size == 0) return;
    check_cuda(cudaMemsetAsync(data, 0, static_cast<std::size_t>(size) * sizeof(T), resource_.stream), "fill_zero");
  }
  /// Asynchronous for pinned host memory; pageable memory is staged before the call returns.
  template <class T>
  void upload(T const* host, std::int64_t size, T* data) const {
    if (size == 0) return;
    check_cuda(cudaMemcpyAsync(data, host, static_cast<std::size_t>(size) * sizeof(T), cudaMemcpyHostToDevice,
                               resource_.stream),
               "upload");
  }
  /// Synchronises the stream: the host's array is ready on return.
  template <class T>
  void download(T const* data, std::int64_t size, T* host) const {
    if (size == 0) return;
    check_cuda(cudaMemcpyAsync(host, data, static_cast<std::size_t>(size) * sizeof(T), cudaMemcpyDeviceToHost,
                               resource_.stream),
               "download");
    synchronize();
  }
  void synchronize() const { check_cuda(cudaStreamSynchronize(resource_.stream), "synchronize"); }

private:
  static constexpr std::size_t workspace_bytes = std::size_t{32} << 20;  // what cuBLAS's manual recommends for Hopper

  static cublasOperation_t cublas(transpose op) { return op == transpose::yes ? CUBLAS_OP_T : CUBLAS_OP_N; }

  cuda resource_;
  device_buffer<unsigned char> workspace_;
  std::unique_ptr<cublasContext, detail::cublas_deleter> blas_;
};

}  // namespace edgewise::models
