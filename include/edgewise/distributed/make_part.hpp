// Parts of graphs: of a whole one, and of slices of its edges that ranks have.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <edgewise/core/cpu_threads.hpp>
#include <edgewise/core/error.hpp>
#include <edgewise/core/memory.hpp>
#include <edgewise/core/resources.hpp>
#include <edgewise/distributed/communicator.hpp>
#include <edgewise/distributed/exchange_lists.hpp>
#include <edgewise/distributed/graph_part.hpp>
#include <edgewise/distributed/ownership.hpp>
#include <edgewise/distributed/part_builder.hpp>
#include <edgewise/distributed/partition.hpp>
#include <edgewise/format/concept.hpp>
#include <edgewise/format/csr.hpp>
#include <edgewise/format/for_each_edge.hpp>
#include <edgewise/format/graph.hpp>
#include <edgewise/format/graph_traits.hpp>
#include <edgewise/format/typed_edges.hpp>

namespace edgewise::inline v0 {
namespace detail {

inline part_edge edge_of_part(ownership const& owners, std::int64_t source, std::int64_t destination, std::int64_t id) {
  return {static_cast<std::int32_t>(owners.destinations.position_of(destination)), owners.of_sources().owner_of(source),
          static_cast<std::int32_t>(owners.of_sources().position_of(source)), 0, id};
}

/// Edges of a whole graph whose destinations belong to a rank, in the order of the graph. Where the graph has rows of
/// destinations only the rank's own are read, by all threads.
template <graph_view View>
std::vector<part_edge> edges_of_rank([[maybe_unused]] cpu const& exec, View const& edges, ownership const& owners,
                                     int rank) {
  using Offset = typename View::offset_type;
  using Index = typename View::index_type;
  std::vector<part_edge> own;
  if constexpr (std::is_base_of_v<csr_view<Index, Offset>, View>) {
    auto const rows = owners.destinations.vertices_of(rank);
    std::vector<std::int64_t> first(rows.size() + 1, 0);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      first[i + 1] = first[i] + (edges.offsets[rows[i] + 1] - edges.offsets[rows[i]]);
    }
    own.resize(static_cast<std::size_t>(first.back()));
    auto const num_rows = static_cast<std::int64_t>(rows.size());
#if defined(_OPENMP)
#pragma omp parallel for num_threads(num_threads(exec, first.back())) schedule(dynamic, 1024)
#endif
    for (std::int64_t i = 0; i < num_rows; ++i) {
      auto const row = static_cast<std::size_t>(i);
      Offset const begin = edges.offsets[rows[row]];
      for (std::int64_t k = first[row]; k < first[row + 1]; ++k) {
        Offset const position = begin + static_cast<Offset>(k - first[row]);
        own[static_cast<std::size_t>(k)] = edge_of_part(owners, edges.neighbors[position], rows[row],
                                                        static_cast<std::int64_t>(edges.edge_id(position)));
      }
    }
  } else {
    for_each_edge(edges, [&](Offset position, Index source, Index destination) {
      if (owners.destinations.owner_of(destination) != rank) return;
      own.push_back(edge_of_part(owners, source, destination, static_cast<std::int64_t>(edges.edge_id(position))));
    });
  }
  return own;
}

/// Throws `communication_error` unless the ids of all ranks' edges are 0 to `whole`, each once: by a sum of hashes.
template <communicator Comm>
void require_all_ids(Comm& comm, typename Comm::exec_type const& exec, std::vector<part_edge> const& own,
                     std::int64_t whole) {
  std::uint64_t found = 0, wanted = 0;
  for (auto const& e : own) found += mixed(static_cast<std::uint64_t>(e.id));
  for (std::int64_t id = comm.rank(); id < whole; id += comm.size()) wanted += mixed(static_cast<std::uint64_t>(id));
  std::uint64_t difference = 0;
  for (auto const& list : gather_lists(comm, exec, std::vector<std::uint64_t>{found, wanted})) {
    difference += list[0] - list[1];
  }
  if (difference != 0) {
    throw communication_error(-1, text("make_part: the ids of all slices must be 0 to ", whole - 1, ", each once"));
  }
}

/// The part with the types of its edges: type_of(id) of an edge of the whole graph.
template <class Index, class Offset, class TypeOf>
typed_graph_part<Index, Offset> with_types(cpu const& exec, graph_part<Index, Offset> part, Index num_types,
                                           TypeOf const& type_of) {
  host_buffer<Index> types(part.edges.size(), exec.memory);
  for (std::size_t e = 0; e < types.size(); ++e) types[e] = static_cast<Index>(type_of(part.edges[e]));
  return {std::move(part), std::move(types), num_types};
}

}  // namespace detail

/// The part of a rank of a whole host graph of any format. Throws `invalid_argument` where the owners are of another
/// graph, there is no such rank, or the part has more rows or edges than its integers count.
template <graph_view View>
auto make_part(cpu const& exec, View const& edges, ownership const& owners, int rank) {
  using Index = typename View::index_type;
  using Offset = typename View::offset_type;
  vertex_counts const counts{.sources = edges.num_sources(), .destinations = edges.num_destinations()};
  if (owners.counts() != counts) {
    throw invalid_argument(detail::text("make_part: owners of ", owners.counts().sources, " sources and ",
                                        owners.counts().destinations, " destinations are given, the graph has ",
                                        counts.sources, " and ", counts.destinations));
  }
  detail::require_rank(owners, rank);
  auto const own = detail::edges_of_rank(exec, edges, owners, rank);
  return detail::part_builder<Index, Offset>(exec, owners, rank, static_cast<std::int64_t>(edges.num_edges), own)
      .make();
}
template <graph_container Container>
auto make_part(cpu const& exec, Container const& edges, ownership const& owners, int rank) {
  detail::require_same_space<cpu, Container>();
  return make_part(exec, edges.view(), owners, rank);
}
/// Where edges have types, `graph{csr, types}` or `graph{csr, csc, types}`, it is a `typed_graph_part`. Throws
/// `invalid_argument` where formats have other numbers of edges or vertices, too.
template <class... Formats>
auto make_part(cpu const& exec, graph<Formats...> const& g, ownership const& owners, int rank) {
  detail::require_same_counts(g);
  auto part = make_part(exec, g.first, owners, rank);
  if constexpr (detail::edges_have_types<graph<Formats...>>) {
    return detail::with_types(exec, std::move(part), g.types.num_types(),
                              [&](std::int64_t id) { return g.types.edge_types[id]; });
  } else {
    return part;
  }
}

namespace detail {

/// The edges of this rank, by ids, out of all slices, and how many there are in the whole graph. types: of the slice's
/// edges; where they have none, `has_types` is false on all ranks.
struct edges_of_slices {
  std::vector<part_edge> own;
  std::int64_t whole = 0;
};
template <communicator Comm>
edges_of_slices exchange_slices(Comm& comm, typename Comm::exec_type const& exec, edge_slice const& slice,
                                bool has_types, std::span<std::int32_t const> types, ownership const& owners) {
  check_slice(slice);
  if (owners.counts() != slice.counts || owners.num_ranks() != comm.size()) {
    throw invalid_argument(text("make_part: owners of ", owners.counts().sources, " sources and ",
                                owners.counts().destinations, " destinations for ", owners.num_ranks(),
                                " ranks are given, the graph has ", slice.counts.sources, " and ",
                                slice.counts.destinations, ", and there are ", comm.size(), " ranks"));
  }
  std::array<char const*, 4> const what{"sources", "destinations", "as the hash of owners",
                                        "for slices with ids (1) or without (0)"};
  bool const has_ids = !slice.ids.empty();
  auto const sizes = gather_lists(
      comm, exec,
      std::vector<std::int64_t>{static_cast<std::int64_t>(slice.sources.size()), has_ids || slice.sources.empty()});
  edges_of_slices found;
  std::int64_t first = 0;
  bool all_have_ids = true;
  for (std::size_t q = 0; q < sizes.size(); ++q) {
    if (static_cast<int>(q) < comm.rank()) first += sizes[q][0];
    found.whole += sizes[q][0];
    all_have_ids = all_have_ids && sizes[q][1] != 0;
  }
  require_agreement(comm, exec,
                    {slice.counts.sources, slice.counts.destinations, static_cast<std::int64_t>(owners.hash()),
                     slice.sources.empty() ? (all_have_ids ? 1 : 0) : (has_ids ? 1 : 0)},
                    what, "make_part");
  std::vector<std::vector<std::int64_t>> lists(static_cast<std::size_t>(comm.size()));
  for (std::size_t k = 0; k < slice.sources.size(); ++k) {
    auto& list = lists[static_cast<std::size_t>(owners.destinations.owner_of(slice.destinations[k]))];
    list.push_back(slice.sources[k]);
    list.push_back(slice.destinations[k]);
    list.push_back(has_ids ? slice.ids[k] : first + static_cast<std::int64_t>(k));
    if (has_types) list.push_back(types[k]);
  }
  std::size_t const numbers = has_types ? 4 : 3;  // of an edge
  for (auto const& list : exchange_lists(comm, exec, lists)) {
    for (std::size_t k = 0; k + numbers <= list.size(); k += numbers) {
      found.own.push_back(edge_of_part(owners, list[k], list[k + 1], list[k + 2]));
      if (has_types) found.own.back().type = static_cast<std::int32_t>(list[k + 3]);
    }
  }
  require_all_ids(comm, exec, found.own, found.whole);
  std::stable_sort(found.own.begin(), found.own.end(), [](auto const& a, auto const& b) { return a.id < b.id; });
  return found;
}

}  // namespace detail

/// The part of this rank where each has a slice of the edges: they go to the ranks that own their destinations, and
/// rows are ordered by ids. Every rank of `comm` calls it; memory grows with the slice and the part, not with the
/// graph. Throws `invalid_argument` as above, `communication_error` where ranks do not agree on the graph or its
/// owners, some slices have ids and others none, or the ids of all are not 0 to the number of edges.
template <class Index = std::int32_t, class Offset = std::int32_t, communicator Comm>
graph_part<Index, Offset> make_part(Comm& comm, typename Comm::exec_type const& exec, edge_slice const& slice,
                                    ownership const& owners) {
  auto const edges = detail::exchange_slices(comm, exec, slice, false, {}, owners);
  return detail::part_builder<Index, Offset>(cpu{}, owners, comm.rank(), edges.whole, edges.own).make();
}
/// The same of edges with types. All ranks have slices of such. Throws `invalid_argument` naming the first edge with a
/// wrong type, too.
template <class Index = std::int32_t, class Offset = std::int32_t, communicator Comm>
typed_graph_part<Index, Offset> make_part(Comm& comm, typename Comm::exec_type const& exec,
                                          typed_edge_slice const& slice, ownership const& owners) {
  detail::checked_count<Index>("make_part", "types of edges", slice.num_types);
  detail::check_edge_types(static_cast<std::int64_t>(slice.sources.size()), slice.types, slice.num_types);
  auto const edges = detail::exchange_slices(comm, exec, slice, true, slice.types, owners);
  auto const type_of = [&](std::int64_t id) {
    return std::lower_bound(edges.own.begin(), edges.own.end(), id, [](auto const& e, auto at) { return e.id < at; })
        ->type;
  };
  return detail::with_types(
      cpu{}, detail::part_builder<Index, Offset>(cpu{}, owners, comm.rank(), edges.whole, edges.own).make(),
      static_cast<Index>(slice.num_types), type_of);
}

}  // namespace edgewise::inline v0
