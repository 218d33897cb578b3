// Which rank gets which vertices: by a whole graph, or by slices of its edges, of which each rank has one.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <edgewise/core/error.hpp>
#include <edgewise/core/resources.hpp>
#include <edgewise/distributed/communicator.hpp>
#include <edgewise/distributed/exchange_lists.hpp>
#include <edgewise/distributed/ownership.hpp>
#include <edgewise/format/concept.hpp>
#include <edgewise/format/for_each_edge.hpp>
#include <edgewise/format/graph.hpp>

namespace edgewise::inline v0 {

/// Each rank gets a range of destinations with about as many edges and rows as the others; of another set of sources, a
/// range with about as many outgoing ones. Takes the vertices as they are numbered: good where near numbers are
/// neighbors.
struct by_edges {};

/// Rank destinations[v] gets destination v, rank sources[u] source u; `sources` is empty where both are the same
/// vertices. Spans of host arrays, [destinations] and [sources].
struct by_owner {
  std::span<std::int32_t const> destinations;
  std::span<std::int32_t const> sources = {};
};

/// One rank's share of the edges of a graph: edge k goes sources[k] -> destinations[k], in numbers of the whole graph.
/// `ids` says which edges of the whole graph these are; where it is empty, they are numbered rank after rank. Spans of
/// host arrays, all [edges of the slice].
struct edge_slice {
  vertex_counts counts;  ///< of the whole graph
  std::span<std::int64_t const> sources;
  std::span<std::int64_t const> destinations;
  std::span<std::int64_t const> ids = {};
};

/// The same of edges with types: `types[k]` is that of edge k, from 0 to num_types - 1. A span of a host array, [edges
/// of the slice]; `num_types` is that of the whole graph, the same on all ranks.
struct typed_edge_slice : edge_slice {
  std::span<std::int32_t const> types;
  std::int64_t num_types;

  typed_edge_slice(edge_slice const& edges, std::span<std::int32_t const> types_of_edges, std::int64_t types_in_all)
      : edge_slice(edges), types(types_of_edges), num_types(types_in_all) {}
};

namespace detail {

inline void require_ranks(int num_ranks) {
  if (num_ranks < 1) throw invalid_argument(text("partition: is for ", num_ranks, " ranks, must be for at least 1"));
}

/// What a row weighs: itself, and its edges.
inline std::int64_t weight_of_rows(std::vector<std::int64_t> const& degrees) {
  std::int64_t weight = 0;
  for (auto const degree : degrees) weight += degree + 1;
  return weight;
}

/// The rows at which ranks begin, where they lie behind one of these rows: rank r at the first row before which there
/// is weight of r shares. `first_row` is the first of these rows, `before` the weight before it.
inline std::vector<std::int64_t> list_cuts(std::vector<std::int64_t> const& degrees, std::int64_t first_row,
                                           std::int64_t before, std::int64_t share, int num_ranks) {
  std::vector<std::int64_t> cuts;
  if (share == 0) return cuts;  // fewer rows than ranks: the first rank has them all
  std::int64_t next = before / share + 1;
  for (std::size_t v = 0; v < degrees.size(); ++v) {
    before += degrees[v] + 1;
    for (; next < num_ranks && before >= share * next; ++next)
      cuts.push_back(first_row + static_cast<std::int64_t>(v) + 1);
  }
  return cuts;
}
inline vertex_owners ranges_between(std::vector<std::int64_t> const& cuts, std::int64_t num_rows, int num_ranks) {
  std::vector<std::int64_t> first{0};
  first.insert(first.end(), cuts.begin(), cuts.end());
  first.resize(static_cast<std::size_t>(num_ranks) + 1, num_rows);
  first.back() = num_rows;
  return vertex_owners::of_ranges(std::move(first));
}
inline vertex_owners balanced_ranges(std::vector<std::int64_t> const& degrees, int num_ranks) {
  std::int64_t const share = weight_of_rows(degrees) / num_ranks;
  return ranges_between(list_cuts(degrees, 0, 0, share, num_ranks), static_cast<std::int64_t>(degrees.size()),
                        num_ranks);
}

/// The owners that a policy gives out for a whole graph.
template <class View>
ownership find_owners(View const& edges, int num_ranks, by_edges) {
  using Index = typename View::index_type;
  std::vector<std::int64_t> in(static_cast<std::size_t>(edges.num_destinations()), 0);
  std::vector<std::int64_t> out(static_cast<std::size_t>(edges.num_sources()), 0);
  for_each_edge(edges, [&](auto, Index source, Index destination) {
    ++in[static_cast<std::size_t>(destination)];
    ++out[static_cast<std::size_t>(source)];
  });
  if (in.size() == out.size()) return {.destinations = balanced_ranges(in, num_ranks)};
  return {balanced_ranges(in, num_ranks), balanced_ranges(out, num_ranks), false};
}

inline void require_owner_of_each(char const* which, std::size_t given, std::int64_t vertices) {
  if (static_cast<std::int64_t>(given) != vertices) {
    throw invalid_argument(text("partition: owners of ", given, " ", which, " are given, the graph has ", vertices));
  }
}
inline ownership given_owners(vertex_counts counts, int num_ranks, by_owner const& by) {
  require_owner_of_each("destinations", by.destinations.size(), counts.destinations);
  if (by.sources.empty() && counts.sources == counts.destinations) {
    return {.destinations = vertex_owners::of_list(by.destinations, num_ranks)};
  }
  require_owner_of_each("sources", by.sources.size(), counts.sources);
  return {vertex_owners::of_list(by.destinations, num_ranks), vertex_owners::of_list(by.sources, num_ranks), false};
}
template <class View>
ownership find_owners(View const& edges, int num_ranks, by_owner const& by) {
  return given_owners({.sources = edges.num_sources(), .destinations = edges.num_destinations()}, num_ranks, by);
}

/// A policy finds owners itself, or there is a function above that does.
template <class By, class View>
concept partitions_by_itself = requires(By const& by, View const& edges) {
  { by.find_owners(edges, 1) } -> std::same_as<ownership>;
};
template <class By, class View>
inline constexpr bool is_partition_policy =
    partitions_by_itself<By, View> || std::is_same_v<By, by_edges> || std::is_same_v<By, by_owner>;

}  // namespace detail

/// Which rank owns which vertices of a whole host graph of any format, `by` one of `by_edges{}`, `by_owner{owners}`,
/// `metis{}` (vendor/metis.hpp). A rank computes the rows of its destinations and holds the operands of its vertices.
/// The same on every rank. Throws `invalid_argument` for fewer ranks than one and where `by` does not fit the graph.
template <graph_view View, class By>
ownership partition(View const& edges, int num_ranks, By const& by) {
  static_assert(detail::is_partition_policy<By, View>,
                "partition: takes by_edges{}, by_owner{owners}, metis{} or a type with 'ownership find_owners(View "
                "const&, int num_ranks) const' (distributed/partition.hpp)");
  detail::require_ranks(num_ranks);
  if constexpr (detail::partitions_by_itself<By, View>) {
    return by.find_owners(edges, num_ranks);
  } else {
    return detail::find_owners(edges, num_ranks, by);
  }
}
template <graph_container Container, class By>
ownership partition(Container const& edges, int num_ranks, By const& by) {
  detail::require_same_space<cpu, Container>();
  return partition(edges.view(), num_ranks, by);
}
template <class... Formats, class By>
ownership partition(graph<Formats...> const& g, int num_ranks, By const& by) {
  return partition(g.first, num_ranks, by);
}

namespace detail {

/// Throws `invalid_argument` naming the first edge of a slice that is none of the graph.
inline void check_slice(edge_slice const& slice) {
  auto const size = slice.sources.size();
  if (slice.destinations.size() != size || (!slice.ids.empty() && slice.ids.size() != size)) {
    throw invalid_argument(text("edge_slice: has ", size, " sources, ", slice.destinations.size(), " destinations and ",
                                slice.ids.size(), " ids"));
  }
  for (std::size_t k = 0; k < size; ++k) {
    if (slice.sources[k] < 0 || slice.sources[k] >= slice.counts.sources || slice.destinations[k] < 0 ||
        slice.destinations[k] >= slice.counts.destinations) {
      throw invalid_argument(text("edge_slice: edge ", k, " is ", slice.sources[k], " -> ", slice.destinations[k],
                                  ", the graph has ", slice.counts.sources, " sources and ", slice.counts.destinations,
                                  " destinations"));
    }
  }
}

/// `balanced_ranges` where each rank sees a part of the edges: a rank counts those of a block of the vertices.
template <communicator Comm>
vertex_owners balanced_ranges(Comm& comm, typename Comm::exec_type const& exec, std::int64_t num_vertices,
                              std::span<std::int64_t const> ends) {
  auto const num_ranks = static_cast<std::int64_t>(comm.size());
  std::int64_t const block = std::max<std::int64_t>(1, (num_vertices + num_ranks - 1) / num_ranks);
  std::vector<std::vector<std::int64_t>> lists(static_cast<std::size_t>(num_ranks));
  for (auto const v : ends) lists[static_cast<std::size_t>(v / block)].push_back(v % block);
  auto const counted = exchange_lists(comm, exec, lists);

  std::int64_t const first_vertex = std::min(num_vertices, block * comm.rank());
  std::int64_t const end_vertex = std::min(num_vertices, first_vertex + block);
  std::vector<std::int64_t> degrees(static_cast<std::size_t>(end_vertex - first_vertex), 0);
  for (auto const& list : counted) {
    for (auto const v : list) ++degrees[static_cast<std::size_t>(v)];
  }
  auto const weights = gather_lists(comm, exec, std::vector<std::int64_t>{weight_of_rows(degrees)});
  std::int64_t before = 0, total = 0;
  for (std::size_t q = 0; q < weights.size(); ++q) {
    if (static_cast<int>(q) < comm.rank()) before += weights[q][0];
    total += weights[q][0];
  }
  std::vector<std::int64_t> cuts;
  auto const own = list_cuts(degrees, first_vertex, before, total / num_ranks, comm.size());
  for (auto const& list : gather_lists(comm, exec, own)) cuts.insert(cuts.end(), list.begin(), list.end());
  return ranges_between(cuts, num_vertices, comm.size());
}

}  // namespace detail

/// The same where no rank holds the whole graph: each calls it with its slice, and all get the same owners, those of
/// `partition` of the whole graph. `by`: `by_edges{}`, or `by_owner` with the owners of all vertices. Throws
/// `invalid_argument` naming the first edge that is none of the graph, `communication_error` where ranks do not agree
/// on its size.
template <communicator Comm, class By>
ownership partition(Comm& comm, typename Comm::exec_type const& exec, edge_slice const& slice, By const& by) {
  static_assert(std::is_same_v<By, by_edges> || std::is_same_v<By, by_owner>,
                "partition: slices are partitioned by_edges{} or by_owner{owners}; metis{} takes a whole graph "
                "(distributed/partition.hpp)");
  detail::check_slice(slice);
  std::array<char const*, 2> const what{"sources", "destinations"};
  detail::require_agreement(comm, exec, {slice.counts.sources, slice.counts.destinations}, what, "partition");
  if constexpr (std::is_same_v<By, by_owner>) {
    return detail::given_owners(slice.counts, comm.size(), by);
  } else {
    auto destinations = detail::balanced_ranges(comm, exec, slice.counts.destinations, slice.destinations);
    if (slice.counts.sources == slice.counts.destinations) return {.destinations = std::move(destinations)};
    return {std::move(destinations), detail::balanced_ranges(comm, exec, slice.counts.sources, slice.sources), false};
  }
}

}  // namespace edgewise::inline v0
