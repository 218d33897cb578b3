// A graph as kernels see it: one or two groupings of the same edges.
#pragma once

#include <type_traits>

#include <edgewise/core/error.hpp>
#include <edgewise/format/concept.hpp>
#include <edgewise/format/coo.hpp>
#include <edgewise/format/csc.hpp>
#include <edgewise/format/csr.hpp>

namespace edgewise::inline v0 {

/// One or two formats over the same edges and edge ids: `graph g{csr}`, `graph g{csr, csc}`, `graph g{coo}`, from views
/// or from containers, which must outlive it. The destination grouping serves forward passes, the source grouping
/// gradients of source operands.
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

template <class Index, class Offset>
struct graph<csc_view<Index, Offset>, csr_view<Index, Offset>> {
  static_assert(sizeof(Index) == 0, "graph: the csr comes first, graph{csr, csc}");
  graph(csc_view<Index, Offset> const&, csr_view<Index, Offset> const&);
};

template <class Format>
graph(Format) -> graph<Format>;
template <class ByDestination, class BySource>
graph(ByDestination, BySource) -> graph<ByDestination, BySource>;
template <class Index, class Offset>
graph(csc_view<Index, Offset>, csr_view<Index, Offset>) -> graph<csc_view<Index, Offset>, csr_view<Index, Offset>>;
template <class Index, class Offset, class OtherIndex, class OtherOffset>
graph(csr_view<Index, Offset>, csc_view<OtherIndex, OtherOffset>)
    -> graph<csr_view<Index, Offset>, csc_view<OtherIndex, OtherOffset>>;

template <graph_container Container>
graph(Container) -> graph<typename Container::view_type>;
template <graph_container ByDestination, graph_container BySource>
graph(ByDestination, BySource) -> graph<typename ByDestination::view_type, typename BySource::view_type>;

namespace detail {

template <class Format>
void require_same_counts(graph<Format> const&) {}

/// Two groupings of the same edges have the same counts. Throws `invalid_argument`; reads no array.
template <class ByDestination, class BySource>
void require_same_counts(graph<ByDestination, BySource> const& g) {
  auto const& [csr, csc] = g;
  if (csr.num_sources() != csc.num_sources() || csr.num_destinations() != csc.num_destinations() ||
      csr.num_edges != csc.num_edges) {
    throw invalid_argument(text("graph: ", ByDestination::name, " has ", csr.num_sources(), " sources, ",
                                csr.num_destinations(), " destinations and ", csr.num_edges, " edges, ", BySource::name,
                                " has ", csc.num_sources(), ", ", csc.num_destinations(), " and ", csc.num_edges));
  }
}

}  // namespace detail
}  // namespace edgewise::inline v0
