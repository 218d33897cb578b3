// Device arrays of the benchmarks: uploaded from the host or filled with counter-based random values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <edgewise/core/device_memory.cuh>
#include <edgewise/core/memory.hpp>

#include "element.cuh"
#include "random_value.hpp"

namespace edgewise::bench {

namespace detail {

template <class T>
__global__ void fill_random_kernel(T* data, std::size_t size, std::uint64_t seed, std::int32_t const* ids) {
  std::size_t const step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < size; i += step) {
    data[i] = element<T>::from_float(random_value(seed, ids ? static_cast<std::uint64_t>(ids[i]) : i));
  }
}

}  // namespace detail

/// An uninitialised array of `size` elements, usable by work on `stream`.
template <class T>
device_buffer<T> make_array(std::size_t size, cudaStream_t stream, memory_resource* memory = device_memory()) {
  return device_buffer<T>(size, memory, stream);
}

/// data[i] = random_value(seed, ids ? ids[i] : i), rounded to T. `ids` [size] is in device memory. Asynchronous.
template <class T>
device_buffer<T> random_array(std::size_t size, std::uint64_t seed, cudaStream_t stream,
                              std::int32_t const* ids = nullptr) {
  auto array = make_array<T>(size, stream);
  if (size > 0) {
    detail::fill_random_kernel<<<2048, 256, 0, stream>>>(array.data(), size, seed, ids);
    check_cuda(cudaGetLastError(), "random_array: launch");
  }
  return array;
}

/// A copy of `values` in device memory. Returns when `values` may be changed.
template <class T>
device_buffer<T> upload(std::vector<T> const& values, cudaStream_t stream) {
  auto array = make_array<T>(values.size(), stream);
  if (!values.empty()) {
    check_cuda(cudaMemcpyAsync(array.data(), values.data(), array.size_bytes(), cudaMemcpyHostToDevice, stream),
               "upload: copy");
    check_cuda(cudaStreamSynchronize(stream), "upload: synchronize");
  }
  return array;
}

/// Elements [begin, begin + count) as floats on the host. Synchronises `stream`.
template <class T>
std::vector<float> download(device_buffer<T> const& array, std::size_t begin, std::size_t count, cudaStream_t stream) {
  std::vector<T> stored(count);
  check_cuda(cudaMemcpyAsync(stored.data(), array.data() + begin, count * sizeof(T), cudaMemcpyDeviceToHost, stream),
             "download: copy");
  check_cuda(cudaStreamSynchronize(stream), "download: synchronize");
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = element<T>::to_float(stored[i]);
  return values;
}

/// Fills with a huge finite pattern in every storage type (5e33 as float), so that an element nobody writes cannot pass
/// a check. Not NaN: a library may multiply the old contents by 0. Asynchronous.
template <class T>
void poison(device_buffer<T>& array, cudaStream_t stream) {
  if (!array.empty()) check_cuda(cudaMemsetAsync(array.data(), 0x77, array.size_bytes(), stream), "poison: memset");
}

}  // namespace edgewise::bench
