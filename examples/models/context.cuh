// The CUDA device as the models see it: a stream, cuBLAS, and a kernel for elementwise loops.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include <edgewise/core/device_memory.cuh>
#include <edgewise/core/launch.cuh>
#include <edgewise/engine/cuda/engine.cuh>
#include <edgewise/vendor/vendor_cublas.cuh>

#include "models/context.hpp"

namespace edgewise::models {
namespace detail {

template <class Body>
__global__ void for_each_kernel(std::int64_t size, __grid_constant__ Body const body) {
  std::int64_t const i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < size) body(i);
}

}  // namespace detail

/// The current CUDA device on one stream. Everything but `synchronize`, `download` and construction is asynchronous
/// and may be captured in a CUDA graph; products run in full single precision (no TF32), so they agree with the host's.
/// Everything made by `make_buffer` must be gone before the resource's stream and memory are.
template <>
class context<cuda> : public one_rank {
public:
  using resource_type = cuda;
  using space = device_space;
  using products_type = cublas_library;
  /// From which share of elements that are not 0 on a dense product of so many columns is faster than a sparse one.
  static constexpr double dense_share(std::int64_t columns) {
    double const of_narrow = 2.0 / static_cast<double>(columns < 1 ? 1 : columns);
    return of_narrow > 0.03 ? of_narrow : 0.03;
  }

  explicit context(cuda resource = {}) : resource_(resource) {
    if (resource_.memory == nullptr) resource_.memory = device_memory();
  }

  cuda const& resource() const { return resource_; }

  std::unique_ptr<products_type> make_products() const {
    return std::make_unique<products_type>(float_products::exact, resource_.memory);
  }

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
  cuda resource_;
};

}  // namespace edgewise::models
