// The bandwidth that floors are divided by: a device-to-device copy, measured on the machine at hand.
#pragma once

#include <algorithm>

#include "device_array.cuh"
#include "graph_timing.cuh"

namespace edgewise::bench {

namespace detail {

template <class Word>
__global__ void copy_kernel(Word const* from, Word* to, std::size_t size) {
  std::size_t const step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < size; i += step) to[i] = from[i];
}

}  // namespace detail

/// Bytes read plus bytes written per second, of a copy far larger than any cache (1 GiB, or an eighth of the memory).
/// Synchronises.
inline double copy_bandwidth(cudaStream_t stream) {
  std::size_t free_bytes = 0, total_bytes = 0;
  check_cuda(cudaMemGetInfo(&free_bytes, &total_bytes), "copy_bandwidth: memory");
  std::size_t const size = std::min(std::size_t{1} << 30, free_bytes / 8) / sizeof(float4);
  auto from = make_array<float4>(size, stream);
  auto to = make_array<float4>(size, stream);
  poison(from, stream);
  auto launch = [&](cudaStream_t s) {
    detail::copy_kernel<<<8192, 256, 0, s>>>(from.data(), to.data(), size);
    check_cuda(cudaGetLastError(), "copy_bandwidth: launch");
  };
  return 2.0 * static_cast<double>(from.size_bytes()) / (time_in_graph(stream, launch).median_ms * 1e-3);
}

}  // namespace edgewise::bench
