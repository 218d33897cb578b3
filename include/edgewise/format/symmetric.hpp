// Symmetric graphs: the reverse of every edge is an edge, so one grouping serves both directions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <edgewise/format/convert.hpp>
#include <edgewise/format/graph.hpp>

namespace edgewise::inline v0 {

namespace detail {

/// Edges as the csr positions they have, sorted by (destination, source, position) or (source, destination, position).
template <class Index, class Offset>
struct edge_order {
  host_buffer<Offset> positions;
  host_buffer<Index> rows;  // the first key of each
  host_buffer<Index> neighbors;
};

template <class Rows>
auto order_of(cpu const& exec, Rows&& rows) {
  auto const view = rows.view();
  using index_type = typename decltype(view)::index_type;
  using offset_type = typename decltype(view)::offset_type;
  auto const num_edges = static_cast<std::size_t>(view.num_edges);
  edge_order<index_type, offset_type> order{
      {num_edges, exec.memory}, {num_edges, exec.memory}, {num_edges, exec.memory}};
  for (index_type row = 0; row < view.num_rows; ++row) {
    for (offset_type k = view.offsets[row]; k < view.offsets[row + 1]; ++k) {
      auto const at = static_cast<std::size_t>(k);
      order.positions[at] = view.edge_id(k);  // ids were left out, so they are positions of the csr
      order.rows[at] = row;
      order.neighbors[at] = view.neighbors[k];
    }
  }
  return order;
}

/// Throws naming the edge with the least position that has no reverse; the two orders differ somewhere.
template <class Index, class Offset>
[[noreturn]] void report_missing_reverse(csr_view<Index, Offset> const& csr, edge_order<Index, Offset> const& edges,
                                         edge_order<Index, Offset> const& reverses) {
  auto const num_edges = edges.positions.size();
  auto const key = [](edge_order<Index, Offset> const& order, std::size_t k) {
    return std::pair(order.rows[k], order.neighbors[k]);
  };
  std::size_t left = 0, right = 0;
  Offset first = csr.num_edges;
  while (left < num_edges || right < num_edges) {
    if (right == num_edges || (left < num_edges && key(edges, left) < key(reverses, right))) {
      first = std::min(first, edges.positions[left++]);
    } else if (left == num_edges || key(reverses, right) < key(edges, left)) {
      first = std::min(first, reverses.positions[right++]);
    } else {
      ++left, ++right;
    }
  }
  auto const row = std::upper_bound(csr.offsets, csr.offsets + csr.num_rows + 1, first) - csr.offsets - 1;
  Index const neighbor = csr.neighbors[first];
  throw invalid_argument(text("reverse_edge_permutation: edge ", csr.edge_id(first), ", ", neighbor, " -> ", row,
                              " at csr position ", first, ", has no reverse ", row, " -> ", neighbor,
                              "; the graph is not symmetric"));
}

}  // namespace detail

/// For every position k of a host csr the id of the reverse of the edge there: for u -> v an edge v -> u. Shape: [E].
/// Parallel edges are paired in the order of their positions, self loops with themselves, so reversing twice is the
/// identity. Verifies that the graph is symmetric: throws `invalid_argument` naming the edge of the least position
/// whose reverse is missing, or both vertex counts where they differ. Linear time: two counting sorts.
template <class Index, class Offset>
host_buffer<Offset> reverse_edge_permutation(cpu const& exec, csr_view<Index, Offset> const& csr) {
  if (csr.num_rows != csr.num_neighbors) {
    throw invalid_argument(detail::text("reverse_edge_permutation: the graph has ", csr.num_sources(), " sources and ",
                                        csr.num_destinations(), " destinations, a symmetric graph has as many"));
  }
  auto by_position = csr;
  by_position.edge_ids = nullptr;
  auto const by_source = to_csc(exec, by_position);
  // Entry k of `edges` in its order (v, u, position) is to be the reverse of entry k of `reverses` in (u, v, position).
  auto const reverses = detail::order_of(exec, by_source);
  auto const edges = detail::order_of(exec, to_csr(exec, by_source));
  bool const symmetric = std::equal(edges.rows.begin(), edges.rows.end(), reverses.rows.begin()) &&
                         std::equal(edges.neighbors.begin(), edges.neighbors.end(), reverses.neighbors.begin());
  if (!symmetric) detail::report_missing_reverse(csr, edges, reverses);

  host_buffer<Offset> reverse_ids(edges.positions.size(), exec.memory);
  for (std::size_t k = 0; k < edges.positions.size(); ++k) {
    reverse_ids[static_cast<std::size_t>(edges.positions[k])] = csr.edge_id(reverses.positions[k]);
  }
  return reverse_ids;
}
template <class Index, class Offset>
host_buffer<Offset> reverse_edge_permutation(cpu const& exec, csr<Index, Offset> const& rows) {
  return reverse_edge_permutation(exec, rows.view());
}

/// The graph that lends its csr as its csc: row u of both lists the same neighbors; an entry v in it is edge v -> u in
/// the csr and u -> v in the csc, whose id is the reverse edge's. `reverse_ids` [E], from `reverse_edge_permutation` of
/// this csr, must outlive the graph and lie in the same memory as the csr. Costs nothing; checks the size alone.
template <class Index, class Offset, class Space>
graph<csr_view<Index, Offset>, csc_view<Index, Offset>> symmetric_graph(csr_view<Index, Offset> const& csr,
                                                                        buffer<Offset, Space> const& reverse_ids) {
  detail::require_size("symmetric_graph", "reverse_ids", reverse_ids.size(), "num_edges",
                       static_cast<std::size_t>(csr.num_edges));
  return {csr, {{csr.offsets, csr.neighbors, reverse_ids.data(), csr.num_rows, csr.num_neighbors, csr.num_edges}}};
}
template <class Index, class Offset, class Space>
graph<csr_view<Index, Offset>, csc_view<Index, Offset>> symmetric_graph(csr<Index, Offset, Space> const& rows,
                                                                        buffer<Offset, Space> const& reverse_ids) {
  return symmetric_graph(rows.view(), reverse_ids);
}
/// A permutation that ends with the statement would leave the graph without ids.
template <class Rows, class Offset, class Space>
void symmetric_graph(Rows const&, buffer<Offset, Space> const&&) = delete;

}  // namespace edgewise::inline v0
