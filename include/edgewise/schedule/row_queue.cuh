// The queue that hands tasks to the warps of persistent blocks: two counters in device memory.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include <edgewise/core/config.hpp>
#include <edgewise/schedule/cut_rows.hpp>

namespace edgewise::inline v0::detail {

/// Both are zero between launches.
struct row_queue {
  unsigned long long next;  ///< the first task that nobody has taken
  unsigned long long left;  ///< warps, or blocks, that found none
};

/// Queues of a launch: one per tile.
inline constexpr int most_queues = 64;

/// `cut_rows_view`, handed out by queues.
template <class Index, class Offset>
struct dynamic_rows_view : cut_rows_view<Index, Offset> {
  static constexpr bool gives_tasks_in_loops = true;
  row_queue* queues = nullptr;  ///< [most_queues]
};

/// Takes tasks from a queue: the first of the `count` tasks that the caller's warp takes, or its block where a group is
/// one.
template <bool IsBlockWide>
EDGEWISE_DEVICE std::int64_t take_tasks(row_queue* queue, int count) {
  unsigned long long first = 0;
  if constexpr (IsBlockWide) {
    __shared__ unsigned long long shared;
    __syncthreads();  // all have read what was taken before
    if (threadIdx.x == 0) shared = atomicAdd(&queue->next, static_cast<unsigned long long>(count));
    __syncthreads();
    first = shared;
  } else {
    if (threadIdx.x % 32 == 0) first = atomicAdd(&queue->next, static_cast<unsigned long long>(count));
    first = __shfl_sync(0xffffffffu, first, 0);
  }
  return static_cast<std::int64_t>(first);
}

/// The caller found no task; the last of `num_takers` leaves the queue as it was before the launch.
EDGEWISE_DEVICE void leave_queue(row_queue* queue, unsigned num_takers) {
  if (atomicAdd(&queue->left, 1ull) + 1 < num_takers) return;
  queue->next = 0;
  queue->left = 0;
}

}  // namespace edgewise::inline v0::detail
