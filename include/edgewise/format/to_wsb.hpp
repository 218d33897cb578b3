// From rows to window-sorted blocks, on the host.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <edgewise/core/resources.hpp>
#include <edgewise/format/wsb.hpp>

namespace edgewise::inline v0 {

/// Which windows get tiles: those whose edges are at least `least_reuse` times their columns, on average over the
/// window; 0: all that have edges. A tile loads a column once for all edges of its window, rows load it for each.
struct wsb_options {
  double least_reuse = 0;
};

namespace detail {

/// A neighbor of a window's rows, and which of the edges it is, from 0 on, where a row has several to that neighbor.
template <class Index, class Offset>
struct window_column {
  Index neighbor;
  Offset copy;
  friend auto operator<=>(window_column const&, window_column const&) = default;
};

template <class Rows>
bool has_sorted_rows(Rows const& rows) {
  for (std::int64_t r = 0; r < rows.num_rows; ++r) {
    if (!std::is_sorted(rows.neighbors + rows.offsets[r], rows.neighbors + rows.offsets[r + 1])) return false;
  }
  return true;
}

/// A copy whose rows are sorted by neighbor; edges to one neighbor keep their order. Edges keep their ids.
template <class Container, class View>
Container copy_with_sorted_rows(cpu const& exec, View const& rows) {
  using offset_type = typename Container::offset_type;
  auto const num_edges = static_cast<std::size_t>(rows.num_edges);
  auto offsets = copy_of(std::span(rows.offsets, static_cast<std::size_t>(rows.num_rows) + 1), exec.memory);
  auto neighbors = copy_of(std::span(rows.neighbors, num_edges), exec.memory);
  host_buffer<offset_type> ids;
  if (has_sorted_rows(rows)) {
    if (rows.edge_ids) ids = copy_of(std::span(rows.edge_ids, num_edges), exec.memory);
  } else {
    ids = host_buffer<offset_type>(num_edges, exec.memory);
    std::vector<offset_type> positions;
    for (std::int64_t r = 0; r < rows.num_rows; ++r) {
      positions.clear();
      for (offset_type k = rows.offsets[r]; k < rows.offsets[r + 1]; ++k) positions.push_back(k);
      std::stable_sort(positions.begin(), positions.end(),
                       [&](offset_type a, offset_type b) { return rows.neighbors[a] < rows.neighbors[b]; });
      auto to = static_cast<std::size_t>(rows.offsets[r]);
      for (offset_type const from : positions) {
        neighbors[to] = rows.neighbors[from];
        ids[to] = rows.edge_id(from);
        ++to;
      }
    }
  }
  vertex_counts const counts{.sources = rows.num_sources(), .destinations = rows.num_destinations()};
  return {counts, std::move(offsets), std::move(neighbors), std::move(ids)};
}

/// Calls f(row of the window, column) for the edges of a window, row by row; columns of a row ascend.
template <class Rows, class F>
void for_each_window_edge(Rows const& rows, std::int64_t window, F const& f) {
  using column = window_column<typename Rows::index_type, typename Rows::offset_type>;
  std::int64_t const first = window * wsb_window_rows;
  std::int64_t const end = std::min<std::int64_t>(first + wsb_window_rows, rows.num_rows);
  for (std::int64_t r = first; r < end; ++r) {
    typename Rows::offset_type copy = 0;
    for (auto k = rows.offsets[r]; k < rows.offsets[r + 1]; ++k) {
      copy = k > rows.offsets[r] && rows.neighbors[k] == rows.neighbors[k - 1] ? copy + 1 : 0;
      f(static_cast<int>(r - first), column{rows.neighbors[k], copy});
    }
  }
}

/// Columns and masks as a `wsb_view` shows them, as they grow window by window.
template <class Index, class Offset>
struct growing_tiles {
  std::vector<Index> columns;
  std::vector<std::uint16_t> masks;
  std::vector<window_column<Index, Offset>> window;  // the columns of one window

  Offset num_tiles() const { return static_cast<Offset>(columns.size() / wsb_tile_columns); }

  /// Appends the tiles of a window of sorted rows, unless that has too few edges for its columns.
  template <class Rows>
  void add_window(Rows const& rows, std::int64_t number, wsb_options const& options) {
    window.clear();
    for_each_window_edge(rows, number, [&](int, auto const& column) { window.push_back(column); });
    auto const num_edges = static_cast<double>(window.size());
    std::sort(window.begin(), window.end());
    window.erase(std::unique(window.begin(), window.end()), window.end());
    if (window.empty() || num_edges < options.least_reuse * static_cast<double>(window.size())) return;

    std::size_t const first_mask = masks.size();
    for (auto const& column : window) columns.push_back(column.neighbor);
    while (columns.size() % wsb_tile_columns != 0) columns.push_back(window.back().neighbor);
    masks.resize(columns.size(), 0);  // as many: tiles are square
    static_assert(wsb_tile_columns == wsb_window_rows);
    int last_row = -1;
    std::size_t c = 0;
    for_each_window_edge(rows, number, [&](int row, auto const& column) {
      if (row != last_row) c = 0;
      last_row = row;
      while (window[c] != column) ++c;
      auto const tile = c / wsb_tile_columns;
      masks[first_mask + tile * wsb_window_rows + static_cast<std::size_t>(row)] |=
          static_cast<std::uint16_t>(1u << (c % wsb_tile_columns));
    });
  }
};

}  // namespace detail

/// The edges of host rows with their tiles, see `wsb_view`. Rows that are not sorted by neighbor are sorted in the
/// copy, whose ids say so; edges to one neighbor keep their order. One thread; n log n in the edges of a window; memory
/// for the tiles twice while it runs. Reads valid views only.
template <grouped_view View>
auto to_wsb(cpu const& exec, View const& rows, wsb_options const& options = {}) {
  using index_type = typename View::index_type;
  using offset_type = typename View::offset_type;
  using container = std::conditional_t<View::grouped_by == endpoint::destination, csr<index_type, offset_type>,
                                       csc<index_type, offset_type>>;
  if (rows.offsets == nullptr) return wsb<container>();  // a default-made view
  auto sorted = detail::copy_with_sorted_rows<container>(exec, rows);
  wsb_view<typename container::view_type> const view{sorted.view()};
  std::int64_t const num_windows = view.num_windows();

  detail::growing_tiles<index_type, offset_type> tiles;
  host_buffer<offset_type> window_tiles(static_cast<std::size_t>(num_windows) + 1, exec.memory);
  window_tiles[0] = 0;
  for (std::int64_t w = 0; w < num_windows; ++w) {
    tiles.add_window(view, w, options);
    window_tiles[static_cast<std::size_t>(w) + 1] = tiles.num_tiles();
  }
  return wsb<container>(std::move(sorted), std::move(window_tiles),
                        copy_of(std::span<index_type const>(tiles.columns), exec.memory),
                        copy_of(std::span<std::uint16_t const>(tiles.masks), exec.memory));
}
/// The same of a container, on the side that it lies on; for `cuda` include format/to_wsb.cuh.
template <class Exec, graph_container Container>
requires grouped_view<typename Container::view_type>
auto to_wsb(Exec const& exec, Container const& rows, wsb_options const& options = {}) {
  detail::require_same_space<Exec, Container>();
  return to_wsb(exec, rows.view(), options);
}

}  // namespace edgewise::inline v0
