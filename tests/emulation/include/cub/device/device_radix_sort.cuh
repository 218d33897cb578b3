// The emulated device's cub::DeviceRadixSort: a stable sort by the same bits of the keys.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include <cuda_runtime_api.h>

namespace cub {

struct DeviceRadixSort {
  template <class Key, class Value, class Size>
  static cudaError_t SortPairs(void* storage, std::size_t& bytes, Key const* keys, Key* sorted_keys,
                               Value const* values, Value* sorted_values, Size size, int first_bit, int end_bit,
                               cudaStream_t) {
    if (!storage) return bytes = 1, cudaSuccess;
    emulation::enqueue(
        {emulation::node::kernel, "DeviceRadixSort", [=] {
           auto const part = [=](Size i) {
             auto const key = static_cast<std::uint64_t>(keys[i]) >> first_bit;
             return end_bit - first_bit < 64 ? key & ((std::uint64_t{1} << (end_bit - first_bit)) - 1) : key;
           };
           std::vector<Size> order(static_cast<std::size_t>(size));
           std::iota(order.begin(), order.end(), Size(0));
           std::stable_sort(order.begin(), order.end(), [&](Size a, Size b) { return part(a) < part(b); });
           for (Size i = 0; i < size; ++i) {
             sorted_keys[i] = keys[order[static_cast<std::size_t>(i)]];
             sorted_values[i] = values[order[static_cast<std::size_t>(i)]];
           }
         }});
    return cudaSuccess;
  }
};

}  // namespace cub
