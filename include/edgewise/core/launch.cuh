// Launches of kernels, and calls of CUDA libraries, that tell their own errors from those that others left behind.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <limits>
#include <thread>

#include <edgewise/core/device_memory.cuh>

namespace edgewise::inline v0::detail {

/// kernel<<<grid, block, 0, stream>>>(arguments...), through a call that returns its own error: the runtime's last
/// error may be one that the caller left, which is not ours to report or to clear. Throws `cuda_error` naming `what`.
/// Arguments are converted to the kernel's parameters; template arguments of the kernel are given.
template <class... Parameter, class... Argument>
void launch_kernel(char const* what, void (*kernel)(Parameter...), dim3 grid, dim3 block, stream_handle stream,
                   Argument const&... arguments) {
  auto const start = [&](Parameter const&... parameters) {
    void* addresses[] = {const_cast<void*>(static_cast<void const*>(&parameters))...};
    check_cuda(cudaLaunchKernel(reinterpret_cast<void const*>(kernel), grid, block, addresses, 0, stream), what);
  };
  start(arguments...);
}

/// Blocks of a launch along x. Throws `invalid_argument` where no launch has as many.
inline unsigned launch_blocks(std::int64_t blocks) {
  if (blocks > std::numeric_limits<std::int32_t>::max()) {
    throw invalid_argument(text("launch: ", blocks,
                                " blocks of threads are more than a launch may have, 2^31 - 1; the "
                                "graph is too large for one pass of this mapping"));
  }
  return static_cast<unsigned>(blocks);
}

/// call() of a library that reads the thread's last error after its own launches, as CUB does: where another error is
/// left there, from a thread that has none. Nothing is cleared. Returns what call() returns.
template <class Call>
auto call_apart(Call const& call) {
  if (cudaPeekAtLastError() == cudaSuccess) return call();
  int device = 0;
  check_cuda(cudaGetDevice(&device), "which device");
  decltype(call()) status{};
  std::thread([&] {
    if (cudaSetDevice(device) == cudaSuccess) status = call();
  }).join();
  return status;
}

}  // namespace edgewise::inline v0::detail
