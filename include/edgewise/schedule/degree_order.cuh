// The order of rows by degree, made on the device by a counting sort: no synchronisation, no temporary of unknown size.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include <edgewise/core/device_memory.cuh>
#include <edgewise/core/launch.cuh>
#include <edgewise/core/memory.hpp>
#include <edgewise/format/grouping.hpp>
#include <edgewise/mapping/work_split.hpp>
#include <edgewise/schedule/window_order.cuh>

namespace edgewise::inline v0::detail {

inline constexpr int degree_classes = 4096;
inline constexpr int degree_threads = 1024;
inline constexpr int scan_threads = 1024;

/// Class 0 holds the rows of 4095 edges or more, class 4095 - d those of d.
template <class Offset>
EDGEWISE_DEVICE int degree_class(Offset degree) {
  return degree < degree_classes - 1 ? degree_classes - 1 - static_cast<int>(degree) : 0;
}

inline unsigned degree_blocks(std::int64_t num_rows) {
  return static_cast<unsigned>((num_rows + degree_threads - 1) / degree_threads);
}

/// Adds 1 to the counter of each thread's class: one atomic per class and warp, since most rows of a graph have one of
/// few degrees. Returns the place that the thread's row has got; threads of one class get places in order. Counters are
/// a block's own, in shared memory: all rows of a graph at the counters of a few degrees wait for one another.
EDGEWISE_DEVICE std::int32_t count_in_class(std::int32_t* counters, int row_class) {
  unsigned const active = __activemask();
  unsigned const peers = __match_any_sync(active, row_class);
  int const lane = static_cast<int>(threadIdx.x) % 32;
  int const leader = __ffs(static_cast<int>(peers)) - 1;
  std::int32_t first = 0;
  if (lane == leader) first = atomicAdd(counters + row_class, static_cast<std::int32_t>(__popc(peers)));
  first = __shfl_sync(peers, first, leader);
  return first + __popc(peers & ((1u << lane) - 1u));
}

/// Clears the block's counters.
template <int Classes>
EDGEWISE_DEVICE void clear_classes(std::int32_t (&own)[Classes]) {
  for (int k = static_cast<int>(threadIdx.x); k < Classes; k += degree_threads) own[k] = 0;
  __syncthreads();
}
/// Adds the block's counters to those of all.
template <int Classes>
EDGEWISE_DEVICE void add_classes(std::int32_t const (&own)[Classes], std::int32_t* counters) {
  __syncthreads();
  for (int k = static_cast<int>(threadIdx.x); k < Classes; k += degree_threads) {
    if (own[k] > 0) atomicAdd(counters + k, own[k]);
  }
}

template <class Index, class Offset>
__global__ void __launch_bounds__(degree_threads)
    count_degrees(Offset const* offsets, Index num_rows, std::int32_t* counters) {
  __shared__ std::int32_t own[degree_classes];
  clear_classes(own);
  std::int64_t const row = static_cast<std::int64_t>(blockIdx.x) * degree_threads + threadIdx.x;
  if (row < num_rows) count_in_class(own, degree_class(static_cast<Offset>(offsets[row + 1] - offsets[row])));
  add_classes(own, counters);
}

/// One block: counters become the places where their classes begin.
template <class Index>
__global__ void begin_classes(std::int32_t* counters) {
  constexpr int own = degree_classes / scan_threads;
  __shared__ std::int32_t sums[scan_threads];
  int const first = static_cast<int>(threadIdx.x) * own;
  std::int32_t total = 0;
  for (int k = 0; k < own; ++k) total += counters[first + k];
  sums[threadIdx.x] = total;
  __syncthreads();
  for (int reach = 1; reach < scan_threads; reach *= 2) {
    std::int32_t const before = static_cast<int>(threadIdx.x) >= reach ? sums[threadIdx.x - reach] : 0;
    __syncthreads();
    sums[threadIdx.x] += before;
    __syncthreads();
  }
  std::int32_t place = sums[threadIdx.x] - total;
  for (int k = 0; k < own; ++k) {
    std::int32_t const count = counters[first + k];
    counters[first + k] = place;
    place += count;
  }
}

/// Which rows of equal degree come first depends on who is first here; no result depends on it.
template <class Index, class Offset>
__global__ void __launch_bounds__(degree_threads)
    place_rows(Offset const* offsets, Index num_rows, std::int32_t* counters, Index* order) {
  __shared__ std::int32_t own[degree_classes];  // rows of the block, then the place of the first of them
  clear_classes(own);
  std::int64_t const row = static_cast<std::int64_t>(blockIdx.x) * degree_threads + threadIdx.x;
  int own_class = 0;
  std::int32_t place = 0;
  if (row < num_rows) {
    own_class = degree_class(static_cast<Offset>(offsets[row + 1] - offsets[row]));
    place = count_in_class(own, own_class);
  }
  __syncthreads();
  for (int k = static_cast<int>(threadIdx.x); k < degree_classes; k += degree_threads) {
    if (own[k] > 0) own[k] = atomicAdd(counters + k, own[k]);
  }
  __syncthreads();
  if (row < num_rows) order[own[own_class] + place] = static_cast<Index>(row);
}

/// Rows of a grouping in an order of their degrees, in device memory; empty when none was asked for.
template <class Index>
struct degree_order {
  device_buffer<Index> rows;  ///< by degree followed by counters; windows are sorted on chip
  row_order order = row_order::stored;
  std::int64_t counters_at = 0;

  degree_order() = default;
  degree_order(stream_handle stream, memory_resource* memory, row_order by, Index num_rows) {
    static_assert(sizeof(Index) >= sizeof(std::int32_t), "counters lie in the array of rows");
    if (num_rows == 0 || by == row_order::stored) return;
    order = by;
    counters_at = num_rows;
    std::int64_t const size = counters_at + (by == row_order::degree ? degree_classes : 0);
    rows = device_buffer<Index>(static_cast<std::size_t>(size), memory, stream);
  }

  std::string text() const { return row_order_text(order); }

  /// Sorts anew for the degrees of `grouping`, of no more rows than before. Asynchronous; allocates nothing.
  template <class Offset>
  void rebuild(stream_handle stream, grouping_view<Index, Offset> const& grouping) {
    if (order == row_order::stored || grouping.num_rows == 0) return;
    if (has_windows(order)) {
      order_windows(stream, grouping, order == row_order::windows ? window_rows : short_window_rows, rows.data());
      return;
    }
    unsigned const blocks = degree_blocks(grouping.num_rows);
    auto* const counters = reinterpret_cast<std::int32_t*>(rows.data() + counters_at);
    check_cuda(cudaMemsetAsync(counters, 0, degree_classes * sizeof(std::int32_t), stream),
               "plan: clear the counts of degrees");
    launch_kernel("plan: count degrees", count_degrees<Index, Offset>, blocks, degree_threads, stream, grouping.offsets,
                  grouping.num_rows, counters);
    launch_kernel("plan: begin classes of degrees", begin_classes<Index>, 1, scan_threads, stream, counters);
    launch_kernel("plan: order rows by degree", place_rows<Index, Offset>, blocks, degree_threads, stream,
                  grouping.offsets, grouping.num_rows, counters, rows.data());
  }
};

}  // namespace edgewise::inline v0::detail
