// Rows of edges in the order of a grouping.
#pragma once

#include <cstdint>

#include <edgewise/core/launch.cuh>
#include <edgewise/core/resources.hpp>

namespace edgewise::inline v0::detail {

/// A number a thread: number i % row_size of row i / row_size.
template <class T, class Offset>
__global__ void __launch_bounds__(256) order_numbers(T const* from, std::int64_t row_stride, std::int64_t row_size,
                                                     Offset const* ids, std::int64_t size, T* to) {
  std::int64_t const i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= size) return;
  std::int64_t const row = i / row_size;
  to[i] = from[static_cast<std::int64_t>(ids[row]) * row_stride + (i - row * row_size)];
}

/// to[k, :] = from[ids[k], :] for `count` rows of row_size numbers, which lie row_stride apart in `from`.
template <class T, class Offset>
void order_rows(cuda const& exec, T const* from, std::int64_t row_stride, std::int64_t row_size, Offset const* ids,
                std::int64_t count, T* to) {
  std::int64_t const size = count * row_size;
  if (size == 0) return;
  launch_kernel("plan: order rows of edges", order_numbers<T, Offset>, launch_blocks((size + 255) / 256), 256,
                exec.stream, from, row_stride, row_size, ids, size, to);
}

}  // namespace edgewise::inline v0::detail
