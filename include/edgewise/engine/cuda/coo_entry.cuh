// The entry kernels over ungrouped edges: equal shares of edges to groups, and loops over elements.
#pragma once

#include <cuda_runtime_api.h>

#include <edgewise/engine/cuda/entry.cuh>
#include <edgewise/pass/coo_walk.hpp>
#include <edgewise/pass/pass_sizes.hpp>
#include <edgewise/program/gradient_pointer.hpp>

namespace edgewise::inline v0::detail {

/// The parameters of a traversal of ungrouped edges.
template <class Pass, class Index, class Offset>
struct coo_traversal {
  Pass pass;
  coo_view<Index, Offset> coo;
  row_layout layout;
  int first_tile;  ///< of this launch
  tile_order order;
  Offset share;    ///< edges of each group
  char* partials;  ///< [blocks, partial_bytes]: sums over all edges
  std::int64_t partial_bytes;
};

/// Group g takes edges [g * share, (g + 1) * share). blockIdx.y is the tile: tile by tile, so that the rows in flight
/// are those of one tile. A pass that sums over all edges runs on a fixed number of blocks, so each has a fixed share.
template <int EdgesInFlight, int MinBlocks, class Geometry, class Pass, class Index, class Offset>
__global__ void __launch_bounds__(threads_of<Geometry>, MinBlocks)
    traverse_coo(__grid_constant__ coo_traversal<Pass, Index, Offset> const t) {
  constexpr int groups = threads_of<Geometry> / Geometry::group_size;
  int const tile = t.first_tile + static_cast<int>(blockIdx.y);
  Geometry const geo(t.layout, tile, threadIdx.x % Geometry::group_size);
  std::int64_t const first_group = static_cast<std::int64_t>(blockIdx.x) * groups;
  auto const share_of = [&](int thread) {
    return edge_share(t.coo.num_edges, t.share, first_group + thread / Geometry::group_size);
  };
  typename Pass::template state<Geometry> state;
  if constexpr (Pass::has_parameter_targets) state.parameters.clear(geo);
  int const thread = static_cast<int>(threadIdx.x);
  // Shares are in order: where a warp's first group has no edges, none of its groups has.
  if (share_of(thread / 32 * 32).begin < t.coo.num_edges) {
    edge_range<Offset> const range = share_of(thread);
    // All groups of the warp loop for a whole share, so that shuffles meet all threads.
    std::int64_t const stop = static_cast<std::int64_t>(range.begin) + static_cast<std::int64_t>(t.share);
    walk_coo<EdgesInFlight>(t.pass, geo, t.coo, range, stop, state);
  }
  if constexpr (Pass::has_parameter_targets) {
    store_block_sums(geo, state.parameters, t.partials + blockIdx.x * t.partial_bytes, false, t.order);
  }
}

/// One thread per element.
template <class Body>
__global__ void __launch_bounds__(block_threads) visit_elements(__grid_constant__ Body const body, std::int64_t count) {
  std::int64_t const i = static_cast<std::int64_t>(blockIdx.x) * block_threads + threadIdx.x;
  if (i < count) body(i);
}

}  // namespace edgewise::inline v0::detail
