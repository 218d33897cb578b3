// Asks a mapping how to deal each grouping of a graph: from its size, or from its degrees.
#pragma once

#include <edgewise/execute/engine.hpp>
#include <edgewise/mapping/concept.hpp>
#include <edgewise/mapping/degree_histogram.hpp>
#include <edgewise/program/graph_traits.hpp>
#include <edgewise/tuning/schedule_policy.hpp>

namespace edgewise::detail {

/// A deal, and the number of pieces that it cuts rows into where whoever read the degrees can tell.
template <class Deal>
struct counted_deal {
  Deal deal;
  std::int64_t num_pieces = unknown_pieces;
};

template <class Deal>
concept cuts_by_length = requires(Deal deal) {
  deal.longest;
};

template <class Exec, class Mapping, class Index, class Offset>
counted_deal<deal_of<Mapping>> deal_of_grouping(Exec const& exec, Mapping const& mapping,
                                                grouping_view<Index, Offset> const& grouping, sizing size,
                                                grouping_size const& told) {
  if constexpr (deals_by_degree<Mapping>) {
    degree_use const use = mapping.uses_degrees();
    if (use == degree_use::required && size == sizing::capacity) {
      throw invalid_argument(text("plan_for_capacity: the mapping ", Mapping::name,
                                  " reads the degrees of a graph, and there is none yet; give it a number"));
    }
    bool const is_welcome = use == degree_use::welcome && engine<Exec>::cuts_rows && size == sizing::exact;
    if (use == degree_use::required || is_welcome) {
      degree_histogram const degrees = engine<Exec>::read_degrees(exec, grouping, told);
      counted_deal<deal_of<Mapping>> counted{mapping.deal(degrees)};
      if constexpr (cuts_by_length<deal_of<Mapping>>) {
        if (degrees.is_exact() && counted.deal.longest > 0)
          counted.num_pieces = degrees.num_pieces(counted.deal.longest);
      }
      return counted;
    }
  }
  return {mapping.deal(told)};
}

/// What a mapping is told of a grouping.
template <class Exec, class Index, class Offset>
grouping_size size_for(grouping_view<Index, Offset> const& grouping, grouping_use const& use) {
  grouping_size size = size_of(grouping);
  size.num_neighbors = grouping.num_neighbors;
  size.neighbor_bytes = use.gathered_bytes * static_cast<std::int64_t>(grouping.num_neighbors);
  size.cache_bytes = engine<Exec>::cache_bytes();
  size.narrow_tile = use.narrow_tile;
  size.has_edge_operands = use.reads_edges;
  size.tile_elements = use.reads_edges && grouping.edge_ids ? 0 : use.tile_elements;
  return size;
}

/// How the groupings of a graph are dealt.
template <class Deal>
struct counted_deals {
  schedule_policy<Deal> policy;
  std::int64_t destination_pieces = unknown_pieces;
  std::int64_t source_pieces = unknown_pieces;
};

/// What a mapping decides for a plan. On a device it may wait for the stream.
template <class Exec, class Mapping, class Graph>
counted_deals<deal_of<Mapping>> deal_groupings(Exec const& exec, Mapping const& mapping, Graph const& graph,
                                               sizing size, grouping_uses const& uses) {
  using traits = graph_traits<Graph>;
  auto const destinations = deal_of_grouping(exec, mapping, traits::by_destination(graph), size,
                                             size_for<Exec>(traits::by_destination(graph), uses.of_destinations));
  auto sources = destinations;
  if constexpr (traits::has_source) {
    sources = deal_of_grouping(exec, mapping, traits::by_source(graph), size,
                               size_for<Exec>(traits::by_source(graph), uses.of_sources));
  }
  check_deal(destinations.deal);
  check_deal(sources.deal);
  return {{destinations.deal, sources.deal}, destinations.num_pieces, sources.num_pieces};
}

}  // namespace edgewise::detail
