// The tiles of a pass: how rows are laid out on a geometry, and the order of launches where tiles add up.
#pragma once

#include <edgewise/core/extents.hpp>
#include <edgewise/pass/gradient_sink.hpp>
#include <edgewise/program/gradient_pointer.hpp>
#include <edgewise/program/layout.hpp>

namespace edgewise::inline v0::detail {

/// For builds that are made often: a program with EDGEWISE_FEW_GEOMETRIES in all of its files compiles one kernel per
/// pass, or two, in place of up to eighteen on a device and up to three on a host. It is slower; tiles of a schedule
/// are groups' own there, and sums on a host hold 2048 channels in place of 16384.
#if defined(EDGEWISE_FEW_GEOMETRIES)
inline constexpr bool has_few_geometries = true;
#else
inline constexpr bool has_few_geometries = false;
#endif

/// The layout of a pass's rows. `adds_tiles`: rows are cut although gradients sum over them, so that tiles run one
/// after the other and add up.
struct tiled_rows {
  row_layout layout;
  bool adds_tiles = false;
};

/// No tiles where the pass goes on with sums that groups of `capacity` chunks of `chunk` channels do not hold.
template <class Pass>
constexpr tiled_rows lay_out(row_extents extents, int capacity, int chunk, bool power_of_two) {
  row_layout const whole = make_row_layout(Pass::need, extents.heads, extents.channels, capacity, chunk, power_of_two);
  if (whole.num_tiles > 0 || Pass::sums_inside) return {whole, false};
  return {cut_row_layout(extents.heads, extents.channels, capacity, chunk, power_of_two), true};
}
template <class Pass, class Geometry>
constexpr tiled_rows lay_out_on_device(row_extents extents) {
  return lay_out<Pass>(extents, Geometry::capacity_chunks, Geometry::channels_per_chunk, true);
}

/// The layout of rows in tiles that add up, as large as the groups.
constexpr tiled_rows cut_on_device(row_extents extents, int capacity, int chunk) {
  return {cut_row_layout(extents.heads, extents.channels, capacity, chunk, true), true};
}

/// The pass as tile `tile` runs it after those before it.
template <class Pass>
Pass after_earlier_tiles(Pass pass, [[maybe_unused]] tile_order const& order) {
  if constexpr (forms_gradients<Pass>) pass.gradients.add_to_earlier(order);
  return pass;
}

/// Tiles of one launch at most: they are its blocks along y.
inline constexpr int most_launched_tiles = 65535;

/// Calls start(traversal, tiles): once where a launch takes as many, or tile after tile where they add up.
template <class Traversal, class Start>
void start_tiles(Traversal t, bool adds_tiles, Start const& start) {
  if (!adds_tiles) {
    for (; t.first_tile < t.layout.num_tiles; t.first_tile += most_launched_tiles) {
      int const left = t.layout.num_tiles - t.first_tile;
      start(t, left < most_launched_tiles ? left : most_launched_tiles);
    }
    return;
  }
  auto const pass = t.pass;
  for (; t.first_tile < t.layout.num_tiles; ++t.first_tile) {
    t.order = order_of(t.layout, t.first_tile);
    t.pass = after_earlier_tiles(pass, t.order);
    start(t, 1);
  }
}

}  // namespace edgewise::inline v0::detail
