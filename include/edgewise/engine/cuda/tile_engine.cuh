// Runs passes over tiles: which rows tiles can take, and their launches.
#pragma once

#include <cuda_runtime_api.h>

#include <edgewise/core/extents.hpp>
#include <edgewise/core/resources.hpp>
#include <edgewise/core/tiled_storage.hpp>
#include <edgewise/engine/concept.hpp>
#include <edgewise/engine/cuda/tile_entry.cuh>
#include <edgewise/engine/tiles.hpp>
#include <edgewise/pass/pass_sizes.hpp>
#include <edgewise/program/layout.hpp>

namespace edgewise::inline v0::detail {

/// Elements of a row that a warp holds at most: two sums of rows read as tf32 have registers for half as many.
template <class Pass>
inline constexpr int widest_tile =
    tile_pass<Pass>::has_two_sums&& std::is_same_v<typename tile_pass<Pass>::T, tf32> ? most_tile_channels / 2
                                                                                      : most_tile_channels;

/// The layout of a pass's rows over tiles; no tiles of a row where what it sums does not lie in one warp.
template <class Pass>
row_layout lay_out_tiles(row_extents extents) {
  using tiles = tile_pass<Pass>;
  constexpr bool is_flat = Pass::need == layout_need::flat;
  constexpr bool sums_channels = Pass::need == layout_need::whole_heads || tiles::needs_whole_heads;
  constexpr bool sums_rows =
      Pass::need == layout_need::whole_rows || Pass::need == layout_need::all_heads || tiles::needs_whole_rows;
  row_layout layout;
  layout.heads = is_flat ? 1 : extents.heads;
  layout.channels = is_flat ? extents.heads * extents.channels : extents.channels;
  layout.heads_per_tile = 1;
  layout.channels_per_tile = layout.channels < widest_tile<Pass> ? layout.channels : widest_tile<Pass>;
  layout.channel_tiles = ceil_div(layout.channels, layout.channels_per_tile);
  layout.num_tiles = layout.heads * layout.channel_tiles;
  if ((sums_channels && layout.channel_tiles > 1) || (sums_rows && layout.num_tiles > 1)) layout.num_tiles = 0;
  return layout;
}

/// Are chunks of eight elements of an operand words at multiples of 16 bytes?
template <class Bound>
bool moves_words(operand_pointer<Bound> const& from, int channels) {
  return reinterpret_cast<std::uintptr_t>(from.data) % 16 == 0 && from.row_bytes % 16 == 0 && channels % 8 == 0;
}

/// Do all rows that a pass multiplies move as words?
template <class Pass>
bool moves_words(Pass const& pass, int channels) {
  return [&]<class... Bound>(type_list<Bound...>) {
    return (moves_words(pass.operands.template of<Bound>(), channels) && ...);
  }(typename tile_pass<Pass>::copied{});
}

/// Do tiles take a pass? Only tf32 takes rows stored as float.
template <class Pass, bool ReadsTf32>
inline constexpr bool tiles_serve = [] {
  if constexpr (Pass::walks_edges && tile_pass<Pass>::serves) {
    return ReadsTf32 || !std::is_same_v<typename tile_pass<Pass>::T, tf32>;
  } else {
    return false;
  }
}();

/// Calls of `engine<cuda>` for splits into tiles. Rows: the engine, for those that are walked.
template <class Engine>
struct tile_engine {
  /// Runs a pass over rows that `check_width` lets pass.
  template <class Extents, class Pass, class Rows, bool ReadsTf32, class Index, class Offset>
  static void run(cuda const& exec, Pass const& pass, wsb_view<Rows> const& graph,
                  device_schedule<basic_tile_split<ReadsTf32>, Index, Offset> const& schedule, row_extents extents,
                  int chunk, workspace_view const& workspace) {
    grouping_view<Index, Offset> const& rows = graph;
    if constexpr (tiles_serve<Pass, ReadsTf32>) {
      row_layout const layout = lay_out_tiles<Pass>(extents);
      if (schedule.has_tiles() && layout.num_tiles > 0) {
        // First, since it stores all rows: those of tiles as rows without edges.
        if (schedule.has_left_rows()) {
          Engine::template run<Extents>(exec, pass, schedule.left(), schedule.left_rows(), extents, chunk, workspace);
        }
        launch(exec, pass, graph, schedule, extents, layout, chunk, workspace);
        return;
      }
    }
    Engine::template run<Extents>(exec, pass, rows, schedule.all_rows(), extents, chunk, workspace);
  }

private:
  template <class Pass, class Rows, bool ReadsTf32, class Index, class Offset>
  static void launch(cuda const& exec, Pass const& pass, wsb_view<Rows> const& graph,
                     device_schedule<basic_tile_split<ReadsTf32>, Index, Offset> const& schedule, row_extents extents,
                     row_layout const& layout, int chunk, workspace_view const& workspace) {
    using tiles = tile_pass<Pass>;
    using slots_type = typename tiles::slot_aggregation;
    tile_kernel<Pass, slots_type, Index, Offset> kernel;
    bool const has_words = chunk >= 2 && moves_words(pass, layout.channels);
    bool const is_narrow = layout.channels_per_tile <= 64;
    if (is_narrow && has_words) {
      kernel.template choose<64, access::chunk>();
    } else if (has_few_geometries || (!is_narrow && !has_words)) {
      kernel.template choose<widest_tile<Pass>, access::element>();
    } else if constexpr (!has_few_geometries) {
      is_narrow ? kernel.template choose<64, access::element>()
                : kernel.template choose<widest_tile<Pass>, access::chunk>();
    }
    tile_traversal<Pass, slots_type, Index, Offset> const t{
        .pass = pass,
        .slots_program = tiles::make(pass.program),
        .rows = graph,
        .window_tiles = graph.window_tiles,
        .columns = graph.columns,
        .masks = graph.masks,
        .layout = layout,
        .pieces = schedule.pieces(),
        .piece_positions = schedule.piece_positions(),
        .num_pieces = schedule.num_pieces(),
        .num_tasks = schedule.num_pieces() + std::int64_t{graph.num_windows()},
        .max_tiles = schedule.max_tiles(),
        .slots = workspace.slots,
        .slot_bytes = slot_bytes<Pass>(extents, slot_tiles::of(layout)),
        .arrivals = workspace.arrivals,
    };
    std::int64_t const warps = t.num_tasks * layout.num_tiles;
    kernel.start(t, launch_blocks((warps + kernel.warps - 1) / kernel.warps), exec.stream);
  }
};

}  // namespace edgewise::inline v0::detail
