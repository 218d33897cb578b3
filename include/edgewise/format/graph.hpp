// A graph as kernels see it: one or two groupings of the same edges.
#pragma once

#include <type_traits>

#include <edgewise/core/error.hpp>
#include <edgewise/format/concept.hpp>
#include <edgewise/format/coo.hpp>
#include <edgewise/format/csc.hpp>
#include <edgewise/format/csr.hpp>
#include <edgewise/format/typed_edges.hpp>

namespace edgewise::inline v0 {

namespace detail {

/// Formats to which types of edges can be given.
template <class ByDestination, class Index, class Offset>
struct require_typed {
  static_assert(rows_by<ByDestination, endpoint::destination>,
                "graph: types of edges go with edges grouped by destination, graph{csr, types} or graph{csr, csc, "
                "types} (format/graph.hpp)");
  static_assert(std::is_same_v<typename ByDestination::index_type, Index> &&
                    std::is_same_v<typename ByDestination::offset_type, Offset>,
                "graph: csr and typed_edges must have the same types of vertex ids and of offsets "
                "(format/graph.hpp)");
  static constexpr bool ok = true;
};

}  // namespace detail

namespace detail {

template <class Format>
struct format_view {
  using type = Format;
};
template <graph_container Container>
struct format_view<Container> {
  using type = typename Container::view_type;
};
template <class Format>
using view_of_format = typename format_view<Format>::type;

}  // namespace detail

/// One or two formats over the same edges and edge ids: `graph g{csr}`, `graph g{csr, csc}`, `graph g{coo}`, from views
/// or from containers, which must outlive it. The destination grouping serves forward passes, the source grouping
/// gradients of source operands. Types of edges come last, `graph g{csr, types}` and `graph g{csr, csc, types}`: for
/// operands by type and their gradients.
template <class... Formats>
struct graph;

template <class Format>
struct graph<Format> {
  Format first;
  graph(Format const& format) : first(format) {}
};

template <class ByDestination, class BySource>
struct graph<ByDestination, BySource> {
  static_assert(detail::require_rows<ByDestination, endpoint::destination>::ok &&
                detail::require_rows<BySource, endpoint::source>::ok);
  static_assert(std::is_same_v<typename ByDestination::index_type, typename BySource::index_type> &&
                    std::is_same_v<typename ByDestination::offset_type, typename BySource::offset_type>,
                "graph: csr and csc must have the same types of vertex ids and of offsets; convert one from the other "
                "with to_csc or to_csr");
  ByDestination first;
  BySource second;
  graph(ByDestination const& by_destination, BySource const& by_source) : first(by_destination), second(by_source) {}
};

/// `first` and `second` know the types of their edges.
template <class ByDestination, class Index, class Offset>
struct graph<ByDestination, typed_edges_view<Index, Offset>> {
  static_assert(detail::require_typed<ByDestination, Index, Offset>::ok);
  ByDestination first;
  typed_edges_view<Index, Offset> types;
  graph(ByDestination const& by_destination, typed_edges_view<Index, Offset> const& by_type)
      : first(by_destination), types(by_type) {
    first.edge_types = types.edge_types;
  }
};
template <class ByDestination, class BySource, class Index, class Offset>
struct graph<ByDestination, BySource, typed_edges_view<Index, Offset>> : graph<ByDestination, BySource> {
  static_assert(detail::require_typed<ByDestination, Index, Offset>::ok);
  typed_edges_view<Index, Offset> types;
  graph(ByDestination const& by_destination, BySource const& by_source, typed_edges_view<Index, Offset> const& by_type)
      : graph<ByDestination, BySource>(by_destination, by_source), types(by_type) {
    this->first.edge_types = this->second.edge_types = types.edge_types;
  }
};

template <class Index, class Offset>
struct graph<csc_view<Index, Offset>, csr_view<Index, Offset>> {
  static_assert(sizeof(Index) == 0, "graph: the csr comes first, graph{csr, csc}");
  graph(csc_view<Index, Offset> const&, csr_view<Index, Offset> const&);
};

template <class Format>
graph(Format) -> graph<Format>;
template <class ByDestination, class BySource>
graph(ByDestination, BySource) -> graph<ByDestination, BySource>;
template <class ByDestination, class BySource, class Index, class Offset>
graph(ByDestination, BySource, typed_edges_view<Index, Offset>)
    -> graph<ByDestination, BySource, typed_edges_view<Index, Offset>>;
template <class Index, class Offset>
graph(csc_view<Index, Offset>, csr_view<Index, Offset>) -> graph<csc_view<Index, Offset>, csr_view<Index, Offset>>;
template <class Index, class Offset, class OtherIndex, class OtherOffset>
graph(csr_view<Index, Offset>, csc_view<OtherIndex, OtherOffset>)
    -> graph<csr_view<Index, Offset>, csc_view<OtherIndex, OtherOffset>>;

template <graph_container Container>
graph(Container) -> graph<typename Container::view_type>;
template <graph_container ByDestination, graph_container BySource>
graph(ByDestination, BySource) -> graph<typename ByDestination::view_type, typename BySource::view_type>;
template <graph_container ByDestination, graph_container BySource, graph_container Types>
graph(ByDestination, BySource, Types)
    -> graph<typename ByDestination::view_type, typename BySource::view_type, typename Types::view_type>;

// Views beside containers.
template <class A, class B>
requires(graph_container<A> != graph_container<B>) graph(A, B)
->graph<detail::view_of_format<A>, detail::view_of_format<B>>;
template <class A, class B, class Index, class Offset>
requires(graph_container<A> || graph_container<B>) graph(A, B, typed_edges_view<Index, Offset>)
->graph<detail::view_of_format<A>, detail::view_of_format<B>, typed_edges_view<Index, Offset>>;
template <class A, class B, graph_container Types>
requires(!graph_container<A> || !graph_container<B>) graph(A, B, Types)
->graph<detail::view_of_format<A>, detail::view_of_format<B>, typename Types::view_type>;

namespace detail {

template <class Format>
void require_same_counts(graph<Format> const&) {}

/// Two formats of the same edges have the same counts. Throws `invalid_argument`; reads no array.
template <class First, class Second>
void require_same_counts(First const& first, Second const& second) {
  if (first.num_sources() != second.num_sources() || first.num_destinations() != second.num_destinations() ||
      first.num_edges != second.num_edges) {
    throw invalid_argument(text("graph: ", First::name, " has ", first.num_sources(), " sources, ",
                                first.num_destinations(), " destinations and ", first.num_edges, " edges, ",
                                Second::name, " has ", second.num_sources(), ", ", second.num_destinations(), " and ",
                                second.num_edges));
  }
}
template <class ByDestination, class BySource>
void require_same_counts(graph<ByDestination, BySource> const& g) {
  require_same_counts(g.first, g.second);
}
template <class ByDestination, class Index, class Offset>
void require_same_counts(graph<ByDestination, typed_edges_view<Index, Offset>> const& g) {
  require_same_counts(g.first, g.types);
}
template <class ByDestination, class BySource, class Index, class Offset>
void require_same_counts(graph<ByDestination, BySource, typed_edges_view<Index, Offset>> const& g) {
  require_same_counts(g.first, g.second);
  require_same_counts(g.first, g.types);
}

}  // namespace detail
}  // namespace edgewise::inline v0
