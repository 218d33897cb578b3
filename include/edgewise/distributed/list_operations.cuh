// Sorts of lists, and sums of marks, in device memory. Behind its own include because of CUB's sort and scan.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <edgewise/core/memory.hpp>
#include <edgewise/core/resources.hpp>
#include <edgewise/distributed/list_operations.hpp>
#include <edgewise/format/convert.cuh>
#include <edgewise/format/counted_marks.cuh>

namespace edgewise::inline v0::detail {

template <>
struct list_operations<cuda> {
  template <class Count>
  using marks = counted_marks<Count>;

  /// Meanwhile there are two keys and two values for each element, and what the sort itself asks for.
  template <class Index>
  static void sort(cuda const& exec, device_buffer<Index>& keys, device_buffer<Index>& values, std::int64_t num_keys) {
    auto const size = static_cast<std::int64_t>(keys.size());
    if (size == 0) return;
    sort_space<Index, Index> space(exec, num_keys, size);
    space.positions = std::move(values);
    std::size_t bytes = space.storage.size();
    space.sort(exec, keys.data(), num_keys, size, space.storage.data(), bytes);
    keys = std::move(space.rows);
    values = std::move(space.sorted_positions);
  }
};

}  // namespace edgewise::inline v0::detail
