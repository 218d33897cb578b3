// Device arrays of which only the far end has values.
#pragma once

#include "device_machine.cuh"

namespace edgewise::testing {

/// A device with arrays for far_edges.hpp. They are allocated whole, since plans refuse addresses outside allocations.
struct far_machine : device_machine {
  template <class T>
  struct array {
    device_bytes memory;
    long long first;
    std::size_t count;
    T* data() const { return reinterpret_cast<T*>(memory.data()); }
    std::vector<T> values() const {
      std::vector<T> window(count);
      check_cuda(cudaMemcpy(window.data(), data() + first, count * sizeof(T), cudaMemcpyDeviceToHost),
                 "far arrays: download");
      return window;
    }
  };
  template <class T>
  array<T> array_from(std::vector<T> const& values, long long first) const {
    array<T> result{device_bytes((static_cast<std::size_t>(first) + values.size()) * sizeof(T)), first, values.size()};
    check_cuda(cudaMemcpy(result.data() + first, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice),
               "far arrays: upload");
    check_cuda(cudaDeviceSynchronize(), "far arrays: upload");
    return result;
  }
  std::vector<float> download(device_array<float> const& values) const { return values.values(); }
};

}  // namespace edgewise::testing
