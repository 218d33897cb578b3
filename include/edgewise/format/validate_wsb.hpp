// Checks of untrusted window-sorted blocks of the host.
#pragma once

#include <cstdint>

#include <edgewise/core/error.hpp>
#include <edgewise/format/validate.hpp>
#include <edgewise/format/wsb.hpp>

namespace edgewise::inline v0 {

namespace detail {

template <class Rows>
void require_sorted_rows(wsb_view<Rows> const& g) {
  for (std::int64_t r = 0; r < g.num_rows; ++r) {
    for (std::int64_t k = std::int64_t{g.offsets[r]} + 1; k < g.offsets[r + 1]; ++k) {
      if (g.neighbors[k] < g.neighbors[k - 1]) {
        throw invalid_argument(text("wsb: neighbors[", k, "] = ", g.neighbors[k], " is less than neighbors[", k - 1,
                                    "] = ", g.neighbors[k - 1], ", but rows must be sorted; row ", r, " is not"));
      }
    }
  }
}

template <class Rows>
void validate_window_tiles(wsb_view<Rows> const& g) {
  std::int64_t const num_windows = g.num_windows();
  require_pointer("wsb", "window_tiles", g.window_tiles, num_windows + 1);
  if (g.window_tiles[0] != 0) {
    throw invalid_argument(text("wsb: window_tiles[0] = ", g.window_tiles[0], ", must be 0"));
  }
  for (std::int64_t w = 1; w <= num_windows; ++w) {
    if (g.window_tiles[w] < g.window_tiles[w - 1] || g.window_tiles[w] > g.num_tiles) {
      throw invalid_argument(text("wsb: window_tiles[", w, "] = ", g.window_tiles[w], ", must be from window_tiles[",
                                  w - 1, "] = ", g.window_tiles[w - 1], " to the number of tiles ", g.num_tiles));
    }
  }
  if (g.window_tiles[num_windows] != g.num_tiles) {
    throw invalid_argument(text("wsb: window_tiles[", num_windows, "] = ", g.window_tiles[num_windows],
                                ", must be the number of tiles ", g.num_tiles));
  }
}

/// The bits of a row of a window that has tiles are its edges, in order.
template <class Rows>
void validate_masks_of_row(wsb_view<Rows> const& g, std::int64_t window, int row_of_window) {
  std::int64_t const row = window * wsb_window_rows + row_of_window;
  bool const is_row = row < g.num_rows;
  std::int64_t position = is_row ? std::int64_t{g.offsets[row]} : 0;
  std::int64_t const end = is_row ? std::int64_t{g.offsets[row + 1]} : 0;
  for (std::int64_t t = g.window_tiles[window]; t < g.window_tiles[window + 1]; ++t) {
    unsigned const mask = g.masks[t * wsb_window_rows + row_of_window];
    for (int c = 0; c < wsb_tile_columns; ++c) {
      if ((mask >> c & 1u) == 0) continue;
      auto const column = g.columns[t * wsb_tile_columns + c];
      if (position == end || g.neighbors[position] != column) {
        throw invalid_argument(text(
            "wsb: masks[", t * wsb_window_rows + row_of_window, "] has bit ", c, ", neighbor ", column, ", but row ",
            row, " has ", position == end ? text("no more edges") : text("neighbor ", g.neighbors[position]), " next"));
      }
      ++position;
    }
  }
  if (position != end) {
    throw invalid_argument(text("wsb: no bit in masks for position ", position, " of neighbors, row ", row));
  }
}

}  // namespace detail

/// Checks host rows as `validate` does those of a csr or csc, that they are sorted by neighbor, and that the tiles of
/// every window that has any hold its edges and no others. Linear in edges and tiles. Throws `invalid_argument` naming
/// the first bad index.
template <class Rows>
void validate(wsb_view<Rows> const& g) {
  constexpr bool by_destination = Rows::grouped_by == endpoint::destination;
  detail::validate_grouping("wsb", g, by_destination ? "sources" : "destinations");
  detail::require_not_negative("wsb", "num_tiles", g.num_tiles);
  if (g.window_tiles == nullptr && g.num_rows == 0 && g.num_tiles == 0) return;  // a default-made view
  detail::require_sorted_rows(g);
  detail::validate_window_tiles(g);
  std::int64_t const slots = std::int64_t{g.num_tiles} * wsb_tile_columns;
  detail::require_pointer("wsb", "columns", g.columns, slots);
  detail::require_pointer("wsb", "masks", g.masks, slots);
  detail::require_in_range("wsb", "columns", g.columns, slots, g.num_neighbors,
                           by_destination ? "sources" : "destinations");
  for (std::int64_t w = 0; w < g.num_windows(); ++w) {
    if (g.window_tiles[w] == g.window_tiles[w + 1]) continue;  // left to its rows
    for (int r = 0; r < wsb_window_rows; ++r) detail::validate_masks_of_row(g, w, r);
  }
}

/// Checks both sides, and that they hold the same edges under the same ids.
template <class ByDestination, class BySource>
void validate(graph<wsb_view<ByDestination>, wsb_view<BySource>> const& g) {
  validate(g.first);
  validate(g.second);
  detail::require_same_counts(g);
  auto const difference = detail::first_difference(g.first, g.second);
  if (!difference.empty()) throw invalid_argument("graph: " + difference);
}

}  // namespace edgewise::inline v0
