// All numbers of halo plans and of pieces of parts, for tests to compare.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <edgewise/distributed/distributed_graph.hpp>
#include <edgewise/distributed/make_part.hpp>

#include "support/test_graph.hpp"
#include "thread_ranks.hpp"

namespace edgewise::testing {

/// Arrays by their names.
using part_lists = std::vector<std::pair<std::string, std::vector<std::int64_t>>>;

/// Reads arrays where passes run. For `cuda`: part_lists.cuh.
template <class Exec>
struct list_reader;
template <>
struct list_reader<cpu> {
  template <class T>
  static std::vector<std::int64_t> read(cpu const&, T const* data, std::size_t size) {
    return {data, data + size};
  }
};

/// The part with numbers of other widths.
template <class Index, class Offset, class Part>
graph_part<Index, Offset> with_integers(Part const& part) {
  auto const copy = []<class To>(auto const& from, To) {
    std::vector<To> const values(from.begin(), from.end());
    return copy_of(std::span<To const>(values));
  };
  auto const rows = [&](auto const& from) {
    return csr<Index, Offset>(from.counts(), copy(from.offsets(), Offset()), copy(from.neighbors(), Index()),
                              copy(from.edge_ids(), Offset()));
  };
  return {.rank = part.rank,
          .num_ranks = part.num_ranks,
          .whole = part.whole,
          .whole_edges = part.whole_edges,
          .shares_vertices = part.shares_vertices,
          .owners_hash = part.owners_hash,
          .destinations = copy(part.destinations, std::int64_t()),
          .sources = copy(part.sources, std::int64_t()),
          .edges = copy(part.edges, std::int64_t()),
          .num_own_edges = part.num_own_edges,
          .interior = rows(part.interior),
          .boundary = rows(part.boundary),
          .table = copy(part.table, Index()),
          .table_first = part.table_first,
          .source_at = copy(part.source_at, Index())};
}

template <class Exec, class Graph>
part_lists lists_of_graph(Exec const& exec, Graph const& graph) {
  part_lists lists;
  auto const add = [&](std::string const& name, auto const* data, std::size_t size) {
    lists.push_back({name, list_reader<Exec>::read(exec, data, size)});
  };
  auto const add_table = [&](std::string const& name, auto const& table) {
    lists.push_back({name + ".first", table.first});
    add(name + ".own_rows", table.own_rows.data(), table.own_rows.size());
    add(name + ".rows", table.pulled.rows.data(), table.pulled.rows.size());
    add(name + ".first_part", table.pulled.first_part.data(), table.pulled.first_part.size());
    add(name + ".parts", table.pulled.parts.data(), table.pulled.parts.size());
  };
  auto const add_rows = [&](std::string const& name, auto const& rows) {
    auto const edges = static_cast<std::size_t>(rows.num_edges);
    lists.push_back({name + ".counts", {rows.num_rows, rows.num_neighbors, rows.num_edges}});
    add(name + ".offsets", rows.offsets, static_cast<std::size_t>(rows.num_rows) + 1);
    add(name + ".neighbors", rows.neighbors, edges);
    add(name + ".edge_ids", rows.edge_ids, rows.edge_ids ? edges : 0);
  };
  auto const& halo = graph.halo();
  lists.push_back({"send_first", halo.send_first});
  lists.push_back({"send_run", halo.send_run});
  add("send_rows", halo.send_rows.data(), halo.send_rows.size());
  add_table("of_boundary", halo.of_boundary);
  add_table("of_others", halo.of_others);
  for (auto const division : {part_division::by_rows, part_division::by_edges}) {
    std::string const name = division == part_division::by_rows ? "by_rows." : "by_edges.";
    auto const& pieces = graph.pieces(division);
    add_rows(name + "local", pieces.local.rows);
    add_rows(name + "local.by_source", pieces.local.by_source.view());
    add_rows(name + "remote", pieces.remote.rows);
    add_rows(name + "remote.by_source", pieces.remote.by_source.view());
  }
  return lists;
}

/// Those of each rank, which make them together. Use: called with what each runs on.
template <class Index, class Offset, class Exec, class Use>
std::vector<part_lists> lists_on_ranks(Use const& use, test_graph const& graph, ownership const& owners) {
  std::vector<part_lists> lists(static_cast<std::size_t>(owners.num_ranks()));
  run_ranks(owners.num_ranks(), [&](int rank, thread_group& group) {
    use([&](Exec const& exec) {
      thread_communicator<Exec> comm(group, rank);
      auto part = with_integers<Index, Offset>(make_part(cpu{}, graph.csr(), owners, rank));
      distributed_graph<thread_communicator<Exec>, Index, Offset> const made(comm, exec, std::move(part));
      lists[static_cast<std::size_t>(rank)] = lists_of_graph(exec, made);
    });
  });
  return lists;
}

/// What happens where rank 1 reads a source of rank 0 that is none: the rank that is named, and the message.
template <class Exec, class Use>
std::pair<int, std::string> error_of_unknown_source(Use const& use, test_graph const& graph, ownership const& owners,
                                                    std::int32_t position) {
  std::pair<int, std::string> found{-1, ""};
  run_ranks(owners.num_ranks(), [&](int rank, thread_group& group) {
    use([&](Exec const& exec) {
      thread_communicator<Exec> comm(group, rank);
      auto part = make_part(cpu{}, graph.csr(), owners, rank);
      if (rank == 1) part.table[static_cast<std::size_t>(part.table_first[1] - 1)] = position;
      try {
        make_halo_plan(comm, exec, part);
      } catch (communication_error const& error) {
        if (rank == 0) found = {error.rank(), error.what()};
      }
    });
  });
  return found;
}

}  // namespace edgewise::testing
