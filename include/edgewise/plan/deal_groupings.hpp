// Asks a mapping how to deal each grouping of a graph: from its size, or from its degrees.
#pragma once

#include <array>
#include <cstddef>

#include <edgewise/engine/concept.hpp>
#include <edgewise/format/graph_traits.hpp>
#include <edgewise/mapping/concept.hpp>
#include <edgewise/mapping/degree_histogram.hpp>
#include <edgewise/mapping/schedule_policy.hpp>
#include <edgewise/schedule/sizing.hpp>

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

/// Does a mapping see the degrees of the graph that is there?
template <class Exec, class Mapping>
bool sees_degrees(Mapping const& mapping, sizing size) {
  degree_use const use = mapping.uses_degrees();
  if (use == degree_use::required && size == sizing::capacity) {
    throw invalid_argument(text("plan_for_capacity: the mapping ", Mapping::name,
                                " reads the degrees of a graph, and there is none yet; give it a number"));
  }
  bool const is_welcome = use == degree_use::welcome && engine<Exec>::cuts_rows && size == sizing::exact;
  return use == degree_use::required || is_welcome;
}

template <class Mapping>
counted_deal<deal_of<Mapping>> deal_by_degrees(Mapping const& mapping, degree_histogram const& degrees) {
  counted_deal<deal_of<Mapping>> counted{mapping.deal(degrees)};
  if constexpr (cuts_by_length<deal_of<Mapping>>) {
    if (degrees.is_exact() && counted.deal.longest > 0) {
      counted.num_pieces = degrees.num_pieces(walk_length(counted.deal.longest));
    }
  }
  return counted;
}

/// The deal of each grouping. Degrees are read of all at once: on a device that waits for the stream.
template <class Exec, class Mapping, std::size_t N, class Index, class Offset>
std::array<counted_deal<deal_of<Mapping>>, N> deal_each(Exec const& exec, Mapping const& mapping, sizing size,
                                                        std::array<sized_grouping<Index, Offset>, N> const& groupings) {
  std::array<counted_deal<deal_of<Mapping>>, N> deals;
  if constexpr (deals_by_degree<Mapping>) {
    if (sees_degrees<Exec>(mapping, size)) {
      auto const degrees = engine<Exec>::read_degrees(exec, groupings);
      for (std::size_t i = 0; i < N; ++i) deals[i] = deal_by_degrees(mapping, degrees[i]);
      return deals;
    }
  }
  for (std::size_t i = 0; i < N; ++i) deals[i] = {mapping.deal(groupings[i].size)};
  return deals;
}

/// What a mapping is told of a grouping.
template <class Exec, class Index, class Offset>
grouping_size size_for(grouping_view<Index, Offset> const& grouping, grouping_use const& use) {
  grouping_size size = size_of(grouping);
  size.num_neighbors = grouping.num_neighbors;
  size.neighbor_bytes = use.gathered_bytes * static_cast<std::int64_t>(grouping.num_neighbors);
  size.cache_bytes = engine<Exec>::cache_bytes();
  size.narrow_tile = use.narrow_tile;
  size.contraction_elements = use.contraction_elements;
  size.has_edge_operands = use.reads_edges;
  size.narrow_group = use.groups.narrow;
  size.half_group = use.groups.half;
  size.has_softmax = use.groups.has_softmax;
  size.has_lane_sums = use.sums_lanes;
  size.tile_elements = use.reads_edges && grouping.edge_ids ? 0 : use.tile_elements;
  return size;
}

/// The groupings of a graph, that by destination first, and what a mapping is told of each.
template <class Exec, class Graph>
auto size_groupings(Graph const& graph, grouping_uses const& uses) {
  using traits = graph_traits<Graph>;
  using sized = sized_grouping<typename traits::index_type, typename traits::offset_type>;
  auto const& by_destination = traits::by_destination(graph);
  sized destinations{by_destination, size_for<Exec>(by_destination, uses.of_destinations)};
  if constexpr (traits::has_source) {
    auto const& by_source = traits::by_source(graph);
    sized sources{by_source, size_for<Exec>(by_source, uses.of_sources)};
    // Ids name places in the order of the other grouping where its own edges have none.
    if (by_source.edge_ids && !by_destination.edge_ids) {
      sources.size.edge_bytes = uses.of_sources.edge_bytes * sources.size.num_edges;
    }
    if (by_destination.edge_ids && !by_source.edge_ids) {
      destinations.size.edge_bytes = uses.of_destinations.edge_bytes * destinations.size.num_edges;
    }
    return std::array{destinations, sources};
  } else {
    return std::array{destinations};
  }
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
  auto const deals = deal_each(exec, mapping, size, size_groupings<Exec>(graph, uses));
  auto const& first = deals.front();
  auto const& last = deals.back();
  check_deal(first.deal);
  check_deal(last.deal);
  return {{first.deal, last.deal}, first.num_pieces, last.num_pieces};
}

}  // namespace edgewise::detail
