// Device memory: the CUDA error check and the default device resource.
#pragma once

#include <cuda_runtime_api.h>

#include <edgewise/core/error.hpp>
#include <edgewise/core/memory.hpp>

namespace edgewise::inline v0 {

/// Throws `cuda_error` naming `what` unless `status` is success. What is thrown is cleared from the runtime, whose last
/// error would else fail, or be blamed on, what comes next.
inline void check_cuda(cudaError_t status, char const* what) {
  if (status != cudaSuccess) {
    cudaGetLastError();
    throw cuda_error(static_cast<int>(status),
                     detail::text(what, ": ", cudaGetErrorName(status), ": ", cudaGetErrorString(status)));
  }
}

namespace detail {

class cuda_async_resource final : public memory_resource {
public:
  void* allocate(std::size_t bytes, stream_handle stream) override {
    void* pointer = nullptr;
    check_cuda(cudaMallocAsync(&pointer, bytes, stream), "device_memory: cudaMallocAsync");
    return pointer;
  }
  void deallocate(void* pointer, std::size_t, stream_handle stream) noexcept override {
    cudaFreeAsync(pointer, stream);
  }
};

}  // namespace detail

/// The default device resource: the device's stream-ordered pool (`cudaMallocAsync`).
inline memory_resource* device_memory() {
  static detail::cuda_async_resource resource;
  return &resource;
}

}  // namespace edgewise::inline v0
