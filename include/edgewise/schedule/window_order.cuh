// The order of rows by degree within windows of neighboring rows, sorted on chip: one launch, no counters.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include <edgewise/core/config.hpp>
#include <edgewise/core/device_memory.cuh>
#include <edgewise/core/launch.cuh>
#include <edgewise/format/grouping.hpp>
#include <edgewise/mapping/work_split.hpp>

namespace edgewise::inline v0::detail {

inline constexpr int window_threads = 512;

/// One block per window, or as many rows in windows of `window`, a power of two: a bitonic sort of keys (degree,
/// descending, then row), of which no two are equal.
template <class Index, class Offset>
__global__ void __launch_bounds__(window_threads)
    sort_windows(Offset const* offsets, Index num_rows, int window, Index* order) {
  __shared__ std::uint64_t keys[window_rows];
  std::int64_t const first = static_cast<std::int64_t>(blockIdx.x) * window_rows;
  for (int k = static_cast<int>(threadIdx.x); k < window_rows; k += window_threads) {
    std::int64_t const row = first + k;
    std::uint64_t key = ~std::uint64_t{0};  // behind all rows
    if (row < num_rows) {
      auto const degree = static_cast<std::uint64_t>(offsets[row + 1] - offsets[row]);
      std::uint64_t const most = 0xfffffffeu;
      key = (most - (degree < most ? degree : most)) << 32 | static_cast<std::uint64_t>(k);
    }
    keys[k] = key;
  }
  for (int size = 2; size <= window; size *= 2) {
    for (int reach = size / 2; reach > 0; reach /= 2) {
      __syncthreads();
      for (int pair = static_cast<int>(threadIdx.x); pair < window_rows / 2; pair += window_threads) {
        int const low = 2 * pair - (pair & (reach - 1));
        std::uint64_t const a = keys[low];
        std::uint64_t const b = keys[low + reach];
        bool const ascends = (low & size) == 0 || size == window;
        if ((a > b) == ascends) {
          keys[low] = b;
          keys[low + reach] = a;
        }
      }
    }
  }
  __syncthreads();
  for (int k = static_cast<int>(threadIdx.x); k < window_rows && first + k < num_rows; k += window_threads) {
    order[first + k] = static_cast<Index>(first + static_cast<std::int64_t>(keys[k] & 0xffffffffu));
  }
}

/// Sorts rows in windows of `window` rows, `window_rows` or `short_window_rows`. Shapes: order [num_rows].
/// Asynchronous.
template <class Index, class Offset>
void order_windows(stream_handle stream, grouping_view<Index, Offset> const& grouping, int window, Index* order) {
  auto const windows =
      static_cast<unsigned>((static_cast<std::int64_t>(grouping.num_rows) + window_rows - 1) / window_rows);
  launch_kernel("plan: order rows in windows", sort_windows<Index, Offset>, windows, window_threads, stream,
                grouping.offsets, grouping.num_rows, window, order);
}

}  // namespace edgewise::inline v0::detail
