// Asks a mapping how to split each grouping of a graph: from its size, or from its degrees.
#pragma once

#include <array>
#include <cstddef>

#include <edgewise/engine/concept.hpp>
#include <edgewise/format/graph_traits.hpp>
#include <edgewise/mapping/concept.hpp>
#include <edgewise/mapping/degree_histogram.hpp>
#include <edgewise/mapping/schedule_policy.hpp>
#include <edgewise/schedule/sizing.hpp>

namespace edgewise::inline v0::detail {

/// A split, and the number of pieces that it cuts rows into where whoever read the degrees can tell.
template <class Split>
struct counted_split {
  Split split;
  std::int64_t num_pieces = unknown_pieces;
};

template <class Split>
concept cuts_by_length = requires(Split split) {
  split.max_edges;
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
counted_split<split_of<Mapping>> split_by_degrees(Mapping const& mapping, degree_histogram const& degrees) {
  counted_split<split_of<Mapping>> counted{mapping.split(degrees)};
  if constexpr (cuts_by_length<split_of<Mapping>>) {
    if (degrees.is_exact() && counted.split.max_edges > 0) {
      counted.num_pieces = degrees.num_pieces(walk_length(counted.split.max_edges));
    }
  }
  return counted;
}

/// The split of each grouping. Degrees are read of all at once: on a device that waits for the stream.
template <class Exec, class Mapping, std::size_t N, class Index, class Offset>
std::array<counted_split<split_of<Mapping>>, N> split_each(
    Exec const& exec, Mapping const& mapping, sizing size,
    std::array<described_grouping<Index, Offset>, N> const& groupings) {
  std::array<counted_split<split_of<Mapping>>, N> splits;
  if constexpr (splits_by_degree<Mapping>) {
    if (sees_degrees<Exec>(mapping, size)) {
      auto const degrees = engine<Exec>::read_degrees(exec, groupings);
      for (std::size_t i = 0; i < N; ++i) splits[i] = split_by_degrees(mapping, degrees[i]);
      return splits;
    }
  }
  for (std::size_t i = 0; i < N; ++i) splits[i] = {mapping.split(groupings[i].work)};
  return splits;
}

/// What a mapping is told of a grouping. work: what the passes over it read and keep.
template <class Exec, class Grouping>
workload with_sizes(workload work, Grouping const& grouping) {
  work.num_rows = static_cast<std::int64_t>(grouping.num_rows);
  work.num_edges = static_cast<std::int64_t>(grouping.num_edges);
  work.num_neighbors = static_cast<std::int64_t>(grouping.num_neighbors);
  if constexpr (requires { grouping.num_tiles; }) work.num_tiles = static_cast<std::int64_t>(grouping.num_tiles);
  work.cache_bytes = engine<Exec>::cache_bytes();
  work.reads_edges_by_id = work.reads_edges_by_id && grouping.edge_ids != nullptr;
  return work;
}

/// The groupings of a graph, that by destination first, and what a mapping is told of each.
template <class Exec, class Graph>
auto describe_groupings(Graph const& graph, workloads const& work) {
  using traits = graph_traits<Graph>;
  using described = described_grouping<typename traits::index_type, typename traits::offset_type>;
  auto const& by_destination = traits::by_destination(graph);
  described destinations{by_destination, with_sizes<Exec>(work.by_destination, by_destination)};
  if constexpr (traits::has_source) {
    auto const& by_source = traits::by_source(graph);
    described sources{by_source, with_sizes<Exec>(work.by_source, by_source)};
    // Ids name places in the order of the other grouping where its own edges have none.
    if (!by_source.edge_ids || by_destination.edge_ids) sources.work.edge_bytes = 0;
    if (!by_destination.edge_ids || by_source.edge_ids) destinations.work.edge_bytes = 0;
    return std::array{destinations, sources};
  } else {
    destinations.work.edge_bytes = 0;
    return std::array{destinations};
  }
}

/// How the groupings of a graph are split.
template <class Split>
struct counted_splits {
  schedule_policy<Split> policy;
  std::int64_t destination_pieces = unknown_pieces;
  std::int64_t source_pieces = unknown_pieces;
};

/// What a mapping decides for a plan. On a device it may wait for the stream.
template <class Exec, class Mapping, class Graph>
counted_splits<split_of<Mapping>> split_groupings(Exec const& exec, Mapping const& mapping, Graph const& graph,
                                                  sizing size, workloads const& work) {
  auto const splits = split_each(exec, mapping, size, describe_groupings<Exec>(graph, work));
  auto const& first = splits.front();
  auto const& last = splits.back();
  check_split(first.split);
  check_split(last.split);
  return {{first.split, last.split}, first.num_pieces, last.num_pieces};
}

}  // namespace edgewise::inline v0::detail
