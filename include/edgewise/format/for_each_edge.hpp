// One loop over the edges of a host graph, whatever its format.
#pragma once

#include <edgewise/format/concept.hpp>
#include <edgewise/format/coo.hpp>
#include <edgewise/format/grouping.hpp>

namespace edgewise::inline v0 {

/// Calls `visit(position, source, destination)` for every edge of a host coo, by position.
template <class Index, class Offset, class Visit>
void for_each_edge(coo_view<Index, Offset> const& coo, Visit&& visit) {
  for (Offset k = 0; k < coo.num_edges; ++k) visit(k, coo.sources[k], coo.destinations[k]);
}

/// Calls `visit(position, source, destination)` for every edge of a host csr or csc, row by row, by position.
template <grouped_view View, class Visit>
void for_each_edge(View const& rows, Visit&& visit) {
  using index_type = typename View::index_type;
  using offset_type = typename View::offset_type;
  for (index_type row = 0; row < rows.num_rows; ++row) {
    for (offset_type k = rows.offsets[row]; k < rows.offsets[row + 1]; ++k) {
      if constexpr (View::grouped_by == endpoint::destination) {
        visit(k, rows.neighbors[k], row);
      } else {
        visit(k, row, rows.neighbors[k]);
      }
    }
  }
}

/// Calls `visit(position, source, destination)` for every edge of host edges by type, type by type, by position.
template <class View, class Visit>
requires requires(View const& edges) { edges.num_types(); }
void for_each_edge(View const& edges, Visit&& visit) {
  for (typename View::offset_type k = 0; k < edges.num_edges; ++k) visit(k, edges.far_ends[k], edges.neighbors[k]);
}

}  // namespace edgewise::inline v0
