// The entry kernel of equal shares: a group takes the rows, and parts of rows, that its share of places holds.
#pragma once

#include <cuda_runtime_api.h>

#include <edgewise/engine/cuda/entry.cuh>
#include <edgewise/pass/pass_sizes.hpp>
#include <edgewise/schedule/edge_split.hpp>

namespace edgewise::inline v0::detail {

template <class Pass, class Index, class Offset>
using share_traversal = traversal<Pass, Index, Offset, edge_split_view<Index>>;

/// One share, row by row. Groups of a warp take as many rounds as the one with the most rows: passes shuffle.
template <int EdgesInFlight, class Env, class Pass, class Index, class Offset, class State>
EDGEWISE_DEVICE void run_share(share_traversal<Pass, Index, Offset> const& t, Env const& launch, int tile,
                               std::int64_t share, State& state) {
  std::int64_t const end_place = t.schedule.begin(share + 1);
  Index row = share < t.num_tasks ? t.schedule.first_rows[share] : t.grouping.num_rows;
  Offset begin = row < t.grouping.num_rows ? t.grouping.offsets[row] : Offset(0);
  while (true) {
    bool const live = row < t.grouping.num_rows && static_cast<std::int64_t>(begin) + row < end_place;
    if (!__any_sync(0xffffffffu, live)) return;
    row_piece<Index, Offset> piece;
    if (live) {
      Offset const end = t.grouping.offsets[row + 1];
      piece = take_from_share(row, begin, end, share, t.schedule.shift);
      begin = end;
      ++row;
    }
    with_row(t.pass, launch, piece.row, [&](auto const& env) {
      run_piece<EdgesInFlight, false>(
          t, env, tile, sharing{}, piece.begin, piece.end, piece.row, live && piece.num_slots > 1, live,
          [&piece](Index) { return piece; }, state);
    });
  }
}

/// Shares by number; blockIdx.y is the tile. A pass that sums over all edges runs on a fixed number of blocks, each
/// with a fixed part of the shares.
template <int EdgesInFlight, int MinBlocks, class Geometry, class Pass, class Index, class Offset>
__global__ void __launch_bounds__(threads_of<Geometry>, MinBlocks)
    traverse_shares(__grid_constant__ share_traversal<Pass, Index, Offset> const t) {
  constexpr int groups = threads_of<Geometry> / Geometry::group_size;
  int const tile = t.first_tile + static_cast<int>(blockIdx.y);
  Geometry const geo(t.layout, tile, threadIdx.x % Geometry::group_size);
  std::int64_t const first =
      static_cast<std::int64_t>(blockIdx.x) * groups + static_cast<int>(threadIdx.x / Geometry::group_size);
  typename Pass::template state<Geometry> state;
  with_parameters(t.pass, geo, [&](auto const& launch) {
    if constexpr (Pass::has_parameter_targets) {
      t.pass.start_launch(geo, state);
      std::int64_t const stride = static_cast<std::int64_t>(gridDim.x) * groups;
      std::int64_t const rounds = (t.num_tasks + stride - 1) / stride;  // the same for all: shuffles meet whole warps
      for (std::int64_t round = 0; round < rounds; ++round) {
        run_share<EdgesInFlight>(t, launch, tile, first + round * stride, state);
      }
      t.pass.finish_launch(launch, state);
    } else {
      run_share<EdgesInFlight>(t, launch, tile, first, state);
    }
  });
  if constexpr (Pass::has_parameter_targets) {
    store_block_sums(geo, state.parameters, t.partials + blockIdx.x * t.partial_bytes, t.adds_partials, t.order);
  }
}

template <class RowIndex>
struct entry_of<edge_split_view<RowIndex>> {
  template <kernel_policy Policy, bool, class Geometry, class Pass, class Index, class Offset>
  static void start(share_traversal<Pass, Index, Offset> const& t, dim3 grid, int threads, stream_handle stream) {
    launch_kernel(
        "traverse_shares",
        traverse_shares<Policy.edges_in_flight, Policy.blocks_per_multiprocessor, Geometry, Pass, Index, Offset>, grid,
        threads, stream, t);
  }
};

}  // namespace edgewise::inline v0::detail
