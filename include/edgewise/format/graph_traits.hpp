// What a plan reads off a graph: its groupings, its index types and its sizes.
#pragma once

#include <edgewise/core/error.hpp>
#include <edgewise/format/coo.hpp>
#include <edgewise/format/graph.hpp>
#include <edgewise/format/grouping.hpp>

namespace edgewise::inline v0::detail {

template <class Graph>
inline constexpr bool is_grouped = true;
template <class Index, class Offset>
inline constexpr bool is_grouped<graph<coo_view<Index, Offset>>> = false;

/// Rows that operands of each role must have.
struct graph_counts {
  std::int64_t destinations = 0;
  std::int64_t sources = 0;
  std::int64_t edges = 0;
};

/// Virtual self edges join the source and the destination of one number. Throws `invalid_argument`.
inline void require_as_many_sources(graph_counts counts) {
  if (counts.sources != counts.destinations) {
    throw invalid_argument(text("with_self: needs as many sources as destinations, the graph has ", counts.sources,
                                " and ", counts.destinations));
  }
}

template <class Graph>
struct graph_traits {
  static_assert(
      sizeof(Graph) == 0,
      "graph: a gather on chip needs the edges grouped by destination; build graph{csr} or graph{csr, csc} (convert "
      "with to_csr), since coo and csc do not group them; sums, maxima and minima can be scattered over graph{coo} "
      "with edge_balanced, and automatic groups its edges (format/graph_traits.hpp)");
};

template <class Index, class Offset>
struct graph_traits<graph<csr_view<Index, Offset>>> {
  using index_type = Index;
  using offset_type = Offset;
  static constexpr bool has_source = false;
  using graph_type = graph<csr_view<Index, Offset>>;

  static grouping_view<Index, Offset> const& by_destination(graph_type const& g) { return g.first; }
  static graph_counts counts(graph_type const& g) {
    return {g.first.num_destinations(), g.first.num_sources(), static_cast<std::int64_t>(g.first.num_edges)};
  }
};

template <class Index, class Offset>
struct graph_traits<graph<csr_view<Index, Offset>, csc_view<Index, Offset>>> {
  using index_type = Index;
  using offset_type = Offset;
  static constexpr bool has_source = true;
  using graph_type = graph<csr_view<Index, Offset>, csc_view<Index, Offset>>;

  static grouping_view<Index, Offset> const& by_destination(graph_type const& g) { return g.first; }
  static grouping_view<Index, Offset> const& by_source(graph_type const& g) { return g.second; }
  static graph_counts counts(graph_type const& g) {
    return {g.first.num_destinations(), g.first.num_sources(), static_cast<std::int64_t>(g.first.num_edges)};
  }
};

template <class... Formats>
graph_counts counts_of(graph<Formats...> const& g) {
  return graph_traits<graph<Formats...>>::counts(g);
}
template <class Index, class Offset>
graph_counts counts_of(graph<coo_view<Index, Offset>> const& g) {
  return {g.first.num_destinations(), g.first.num_sources(), static_cast<std::int64_t>(g.first.num_edges)};
}

}  // namespace edgewise::inline v0::detail
