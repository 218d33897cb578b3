// What the tiles of window-sorted blocks are worth.
#pragma once

#include <cstdint>
#include <string>

#include <edgewise/core/error.hpp>
#include <edgewise/core/resources.hpp>
#include <edgewise/format/wsb.hpp>

namespace edgewise::inline v0 {

/// Counts of a whole `wsb`. Tiled: in windows that have tiles; the others are left to their rows.
struct wsb_statistics {
  std::int64_t windows = 0;
  std::int64_t tiled_windows = 0;
  std::int64_t tiles = 0;
  std::int64_t columns = 0;  ///< that hold an edge, over all tiles
  std::int64_t edges = 0;
  std::int64_t tiled_edges = 0;

  /// The part of the slots of tiles that are edges; 0 where there are no tiles.
  double fill() const {
    double const slots = static_cast<double>(tiles) * wsb_window_rows * wsb_tile_columns;
    return tiles > 0 ? static_cast<double>(tiled_edges) / slots : 0.0;
  }
  /// Edges that a column serves, on average: how many times fewer rows of neighbors tiles load than rows do.
  double reuse() const { return columns > 0 ? static_cast<double>(tiled_edges) / static_cast<double>(columns) : 0.0; }
};

/// Counts a host `wsb`, given as its view. Linear in tiles and windows.
template <class Rows>
wsb_statistics statistics_of(wsb_view<Rows> const& g) {
  wsb_statistics found;
  found.windows = g.num_windows();
  found.tiles = g.num_tiles;
  found.edges = g.num_edges;
  for (std::int64_t w = 0; w < found.windows; ++w) {
    if (g.window_tiles[w] == g.window_tiles[w + 1]) continue;
    ++found.tiled_windows;
    std::int64_t const first = w * wsb_window_rows;
    std::int64_t const end = first + wsb_window_rows < g.num_rows ? first + wsb_window_rows : g.num_rows;
    found.tiled_edges += g.offsets[end] - g.offsets[first];
  }
  for (std::int64_t t = 0; t < found.tiles; ++t) {
    unsigned used = 0;
    for (int r = 0; r < wsb_window_rows; ++r) used |= g.masks[t * wsb_window_rows + r];
    for (; used != 0; used &= used - 1) ++found.columns;
  }
  return found;
}

/// Counts a host container.
template <class Rows>
wsb_statistics statistics_of(wsb<Rows> const& g) {
  detail::require_same_space<cpu, Rows>();
  return statistics_of(g.view());
}

/// As one line, for logs.
inline std::string to_string(wsb_statistics const& s) {
  return detail::text(s.tiles, " tiles in ", s.tiled_windows, " of ", s.windows, " windows, ", s.tiled_edges, " of ",
                      s.edges, " edges, fill ", s.fill(), ", reuse ", s.reuse());
}

}  // namespace edgewise::inline v0
