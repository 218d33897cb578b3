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

template <class Graph>
inline constexpr bool edges_have_types = false;
template <class... Format>
inline constexpr bool edges_have_types<graph<Format...>> = (is_typed_edges<Format> || ...);

/// Rows that operands of each role must have.
struct graph_counts {
  std::int64_t destinations = 0;
  std::int64_t sources = 0;
  std::int64_t edges = 0;
  std::int64_t types = 0;  ///< of edges
};

/// Are the rows those of a part of a graph, whose sources have other numbers (distributed/part_rows.hpp)?
template <class Graph>
inline constexpr bool is_part_of_graph = false;
template <class First, class... Format>
requires requires {
  First::is_part;
}
inline constexpr bool is_part_of_graph<graph<First, Format...>> = First::is_part;

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

/// What the formats of rows have in common. First: the format that groups edges by destination.
template <class Graph, class First>
struct rows_traits {
  using index_type = typename First::index_type;
  using offset_type = typename First::offset_type;
  using graph_type = Graph;
  using rows_type = grouping_view<index_type, offset_type>;

  static constexpr bool has_types = false;

  static First const& by_destination(Graph const& g) { return g.first; }
  static graph_counts counts(Graph const& g) {
    return {g.first.num_destinations(), g.first.num_sources(), static_cast<std::int64_t>(g.first.num_edges)};
  }
};

/// Lies in rows, but lacks what plans ask of a format.
template <class View>
concept lacking_rows = requires(View const& view) {
  view.offsets;
  view.neighbors;
}
&&!(rows_by<View, endpoint::destination> || rows_by<View, endpoint::source>);
template <lacking_rows First>
struct graph_traits<graph<First>> {
  static_assert(require_rows<First, endpoint::destination>::ok);
};

template <rows_by<endpoint::destination> First>
struct graph_traits<graph<First>> : rows_traits<graph<First>, First> {
  static constexpr bool has_source = false;
};

template <rows_by<endpoint::destination> First, rows_by<endpoint::source> Second>
struct graph_traits<graph<First, Second>> : rows_traits<graph<First, Second>, First> {
  static constexpr bool has_source = true;
  static Second const& by_source(graph<First, Second> const& g) { return g.second; }
};

/// A graph whose edges have types. Base: of the same without them.
template <class Graph, class Base>
struct typed_traits : Base {
  using graph_type = Graph;
  static constexpr bool has_types = true;
  static typename Base::rows_type const& by_type(Graph const& g) { return g.types; }
  static graph_counts counts(Graph const& g) {
    graph_counts counts{g.first.num_destinations(), g.first.num_sources(),
                        static_cast<std::int64_t>(g.first.num_edges)};
    counts.types = g.types.num_types();
    return counts;
  }
};
template <rows_by<endpoint::destination> First, class Index, class Offset>
struct graph_traits<graph<First, typed_edges_view<Index, Offset>>>
    : typed_traits<graph<First, typed_edges_view<Index, Offset>>,
                   rows_traits<graph<First, typed_edges_view<Index, Offset>>, First>> {
  static constexpr bool has_source = false;
};
template <rows_by<endpoint::destination> First, rows_by<endpoint::source> Second, class Index, class Offset>
struct graph_traits<graph<First, Second, typed_edges_view<Index, Offset>>>
    : typed_traits<graph<First, Second, typed_edges_view<Index, Offset>>, graph_traits<graph<First, Second>>> {};

template <class... Formats>
graph_counts counts_of(graph<Formats...> const& g) {
  return graph_traits<graph<Formats...>>::counts(g);
}
template <class Index, class Offset>
graph_counts counts_of(graph<coo_view<Index, Offset>> const& g) {
  return {g.first.num_destinations(), g.first.num_sources(), static_cast<std::int64_t>(g.first.num_edges)};
}

/// Are source k and destination k of a graph, or of a part, one vertex? Taken to be so where there are as many of both,
/// but of parts, which know it.
template <class Graph>
bool has_one_vertex_set(Graph const& g) {
  if constexpr (requires { graph_traits<Graph>::shares_vertices(g); }) {
    return graph_traits<Graph>::shares_vertices(g);
  } else {
    graph_counts const counts = counts_of(g);
    return counts.sources == counts.destinations;
  }
}

}  // namespace edgewise::inline v0::detail
