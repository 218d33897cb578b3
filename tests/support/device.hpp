// Leaving a test executable early where there is no GPU, or not the GPU that it needs. Needs the CUDA runtime's header,
// but not nvcc.
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <cuda_runtime_api.h>

#include <edgewise/core/error.hpp>

namespace edgewise::testing {

/// The exit code by which CTest (SKIP_RETURN_CODE) knows a skipped test.
inline constexpr int skipped_exit_code = 77;

/// Whether a CUDA device can be used. A machine without GPU or driver has none; any other failure throws `cuda_error`,
/// because a broken device must not look like a skipped test.
inline bool has_cuda_device() {
  int count = 0;
  cudaError_t const status = cudaGetDeviceCount(&count);
  if (status == cudaErrorNoDevice || status == cudaErrorInsufficientDriver || status == cudaErrorStubLibrary) {
    return false;
  }
  if (status != cudaSuccess) {
    throw cuda_error(static_cast<int>(status),
                     edgewise::detail::text("has_cuda_device: cudaGetDeviceCount: ", cudaGetErrorString(status)));
  }
  return count > 0;
}

/// Says why, and ends the process with `skipped_exit_code`. Failures of cases before would be hidden: only for what all
/// cases of an executable need.
[[noreturn]] inline void skip_test(std::string const& reason) {
  std::printf("skipped: %s\n", reason.c_str());
  std::exit(skipped_exit_code);
}

/// First line of every test case that needs a GPU: ends the process with `skipped_exit_code` where there is none.
inline void skip_without_cuda_device() {
  if (!has_cuda_device()) skip_test("no CUDA device");
}

/// The same, where less than so much of the device's memory is free.
inline void skip_without_device_bytes(std::size_t needed) {
  skip_without_cuda_device();
  std::size_t free = 0;
  std::size_t total = 0;
  cudaError_t const status = cudaMemGetInfo(&free, &total);
  if (status != cudaSuccess) {
    throw cuda_error(static_cast<int>(status),
                     edgewise::detail::text("skip_without_device_bytes: cudaMemGetInfo: ", cudaGetErrorString(status)));
  }
  if (free < needed) skip_test(edgewise::detail::text("needs ", needed >> 30, " GiB of free device memory"));
}

}  // namespace edgewise::testing
