// The graph with every edge turned round: other names for the same arrays.
#pragma once

#include <edgewise/format/graph.hpp>

namespace edgewise::inline v0 {

/// The reverse of a view: edge e goes from its former destination to its former source and keeps its id. Costs nothing;
/// the result shows the same arrays, on host or device. The reverse of a csr is a csc and the other way round.
template <class Index, class Offset>
csc_view<Index, Offset> reverse(csr_view<Index, Offset> const& csr) {
  return {csr};
}
template <class Index, class Offset>
csr_view<Index, Offset> reverse(csc_view<Index, Offset> const& csc) {
  return {csc};
}
template <class Index, class Offset>
coo_view<Index, Offset> reverse(coo_view<Index, Offset> const& coo) {
  return {coo.destinations, coo.sources, coo.edge_ids, coo.destination_count, coo.source_count, coo.num_edges};
}

template <class Index, class Offset>
typed_edges_view<Index, Offset> reverse(typed_edges_view<Index, Offset> types) {
  Index const* const sources = types.far_ends;
  types.far_ends = types.neighbors;
  types.neighbors = sources;
  Index const num_sources = types.source_count;
  types.source_count = types.num_neighbors;
  types.num_neighbors = num_sources;
  return types;
}

/// The reverse of a graph: each of its formats reversed.
template <class Format>
auto reverse(graph<Format> const& g) {
  return graph{reverse(g.first)};
}
template <class Index, class Offset>
graph<csr_view<Index, Offset>, csc_view<Index, Offset>> reverse(
    graph<csr_view<Index, Offset>, csc_view<Index, Offset>> const& g) {
  return {reverse(g.second), reverse(g.first)};
}
template <class Index, class Offset>
graph<csr_view<Index, Offset>, csc_view<Index, Offset>, typed_edges_view<Index, Offset>> reverse(
    graph<csr_view<Index, Offset>, csc_view<Index, Offset>, typed_edges_view<Index, Offset>> const& g) {
  return {reverse(g.second), reverse(g.first), reverse(g.types)};
}

}  // namespace edgewise::inline v0
