// The entry kernel of rows from a queue: blocks stay, and their warps take rows until there are none.
#pragma once

#include <cuda_runtime_api.h>

#include <edgewise/engine/cuda/entry.cuh>
#include <edgewise/schedule/row_queue.cuh>

namespace edgewise::inline v0::detail {

template <class Pass, class Index, class Offset>
using queue_traversal = traversal<Pass, Index, Offset, dynamic_rows_view<Index, Offset>>;

/// Pieces of cut rows first, then rows in the schedule's order. blockIdx.y is the tile of this launch, and its queue.
template <int EdgesInFlight, int MinBlocks, bool Shares, class Geometry, class Pass, class Index, class Offset>
__global__ void __launch_bounds__(threads_of<Geometry>, MinBlocks)
    traverse_queue(__grid_constant__ queue_traversal<Pass, Index, Offset> const t) {
  constexpr int takers = Geometry::is_block_wide ? 1 : threads_of<Geometry> / 32;
  constexpr int threads = threads_of<Geometry> / takers;  // threads that take tasks together
  int const sub_groups = Shares ? t.sub_groups : 1;
  int const group = static_cast<int>(threadIdx.x) % threads / Geometry::group_size;
  int const tile = t.first_tile + static_cast<int>(blockIdx.y);
  Geometry const geo(t.layout, tile, threadIdx.x % Geometry::group_size);
  row_queue* const queue = t.schedule.queues + blockIdx.y;
  typename Pass::template state<Geometry> state;
  with_parameters(t.pass, geo, [&](auto const& launch) {
    while (true) {
      std::int64_t const first =
          take_tasks<Geometry::is_block_wide>(queue, threads / Geometry::group_size / sub_groups);
      if (first >= t.num_tasks) break;
      sharing const shared{sub_groups, group & (sub_groups - 1)};
      run_task<EdgesInFlight, Shares>(t, launch, tile, shared, first + group / sub_groups, t.num_tasks, state);
    }
  });
  if (threadIdx.x % threads == 0) leave_queue(queue, gridDim.x * takers);
}

template <class RowIndex, class RowOffset>
struct entry_of<dynamic_rows_view<RowIndex, RowOffset>> {
  template <kernel_policy Policy, bool Shares, class Geometry, class Pass, class Index, class Offset>
  static void start(queue_traversal<Pass, Index, Offset> const& t, dim3 grid, int threads, stream_handle stream) {
    auto some = t;
    for (int first = 0; first < static_cast<int>(grid.y); first += most_queues) {
      unsigned const tiles = grid.y - first < most_queues ? grid.y - first : most_queues;
      some.first_tile = t.first_tile + first;
      launch_kernel("traverse_queue",
                    traverse_queue<Policy.edges_in_flight, Policy.blocks_per_multiprocessor, Shares, Geometry, Pass,
                                   Index, Offset>,
                    dim3{grid.x, tiles}, threads, stream, some);
    }
  }
};

}  // namespace edgewise::inline v0::detail
