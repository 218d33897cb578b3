// A case of the battery over the ranks of MPI: each runs its part of the graph, and all get the whole result.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <edgewise/distributed.hpp>
#include <edgewise/vendor/mpi.hpp>

#include "plan/check_case.hpp"
#include "plan/host_machine.hpp"
#include "plan/run_program.hpp"

namespace edgewise::testing {

/// The communicator of all tests of a process.
inline mpi_communicator& world() {
  static mpi_communicator comm(MPI_COMM_WORLD, std::chrono::seconds(30));
  return comm;
}

/// What one rank has of a test graph, as a graph of its own for `run_program`: of its counts alone anything is read.
struct rank_graph {
  test_graph counts;
  std::vector<std::int64_t> sources, destinations, edges;  // ids in the whole graph

  /// Ids of an operand's rows.
  std::vector<std::int64_t> ids(rows_of rows, int num_rows) const {
    switch (rows) {
      case rows_of::edge:
        return edges;
      case rows_of::destination:
        return destinations;
      case rows_of::source:
      case rows_of::vertex:
        return sources;
      default: {
        std::vector<std::int64_t> all;
        for (int r = 0; r < num_rows; ++r) all.push_back(r);
        return all;
      }
    }
  }
};

template <class Part>
rank_graph rank_graph_of(Part const& part) {
  rank_graph made;
  made.counts = {.name = "part",
                 .num_sources = part.num_sources(),
                 .num_destinations = part.num_destinations(),
                 .sources = std::vector<int>(part.edges.size()),
                 .destinations = std::vector<int>(part.edges.size())};
  made.sources.assign(part.source_ids().begin(), part.source_ids().end());
  made.destinations.assign(part.destinations.begin(), part.destinations.end());
  made.edges.assign(part.edges.begin(), part.edges.end());
  return made;
}

/// Edges of a case: those of this rank's part.
template <class Graph, class Mapping>
struct ranked_edges {
  Graph const* graph;
  Mapping mapping;

  template <class Offset, class Machine, class F>
  auto with_graph(Machine const&, test_graph const&, F const& f) const {
    return f(*graph, mapping);
  }
};

/// Rows of a rank out of those of the whole graph, and back: what every rank has, put together.
template <class T>
std::vector<T> rows_of_rank(std::vector<T> const& whole, std::vector<std::int64_t> const& ids, std::size_t row_size) {
  std::vector<T> rows;
  for (auto const id : ids) {
    for (std::size_t k = 0; k < row_size; ++k) rows.push_back(whole.at(static_cast<std::size_t>(id) * row_size + k));
  }
  return rows;
}
template <class T>
std::vector<T> join_ranks(std::vector<T> const& rows, std::vector<std::int64_t> const& ids, std::size_t num_rows,
                          std::size_t row_size) {
  auto const all_rows = edgewise::detail::gather_lists(world(), cpu{}, rows);
  auto const all_ids = edgewise::detail::gather_lists(world(), cpu{}, ids);
  std::vector<T> whole(num_rows * row_size);
  for (std::size_t q = 0; q < all_ids.size(); ++q) {
    for (std::size_t r = 0; r < all_ids[q].size(); ++r) {
      std::copy_n(all_rows[q].begin() + static_cast<std::ptrdiff_t>(r * row_size), row_size,
                  whole.begin() + all_ids[q][r] * static_cast<std::int64_t>(row_size));
    }
  }
  return whole;
}

/// Runs a case over the ranks, with the vertices owned as `owners` says.
template <class Case, class T>
run_result<T> run_on_ranks(run_request<T> const& request, ownership const& owners) {
  test_graph const& whole = *request.graph;
  distributed_graph const g(world(), cpu{}, make_part(cpu{}, whole.csr(), owners, world().rank()));
  auto const here = rank_graph_of(g.part());

  auto local = request;
  local.graph = &here.counts;
  auto const rows_of_operand = [&](std::size_t i) {
    return std::apply(
        [&]<class... O>(O const&...) {
          rows_of const rows[] = {O::rows...};
          return rows[i];
        },
        typename Case::operands{});
  };
  auto const size_of_row = [&](std::size_t i) {
    return std::apply(
        [&]<class... O>(O const&...) {
          std::size_t const sizes[] = {row_elements<O>(request.extents)...};
          return sizes[i];
        },
        typename Case::operands{});
  };
  auto const ids_of_operand = [&](std::size_t i) {
    return here.ids(rows_of_operand(i), num_rows(rows_of_operand(i), whole));
  };
  for (std::size_t i = 0; i < request.operands.size(); ++i) {
    local.operands[i] = rows_of_rank(request.operands[i], ids_of_operand(i), size_of_row(i));
  }
  auto const& out_ids = num_out_rows<Case>(whole) == whole.num_edges() && requires { Case::is_of_edges; }
  ? here.edges : here.destinations;
  std::size_t const out_size = out_extents<Case>(request.extents).elements(Case::out_kind);
  local.grad_out = rows_of_rank(request.grad_out, out_ids, out_size);

  using edges_type = ranked_edges<std::remove_const_t<decltype(g)>, decltype(mapping_of<Case>())>;
  auto result = run_program<Case>(host_machine{}, local, edges_type{&g, mapping_of<Case>()});

  auto const num_out = static_cast<std::size_t>(num_out_rows<Case>(whole));
  for (auto* out : {&result.out, &result.out_again, &result.out_without_saved}) {
    *out = join_ranks(*out, out_ids, num_out, out_size);
  }
  if (request.asked_set >= 0) {
    std::vector<asked_gradient> asked;
    [&]<class... Set>(std::tuple<Set...>*) {
      std::vector<std::vector<asked_gradient>> const sets{describe(Set{})...};
      asked = sets.at(static_cast<std::size_t>(request.asked_set));
    }(static_cast<typename Case::gradients*>(nullptr));
    for (auto* gradients : {&result.gradients, &result.gradients_again}) {
      for (std::size_t k = 0; k < asked.size(); ++k) {
        auto const i = static_cast<std::size_t>(asked[k].operand);
        (*gradients)[k] = join_ranks((*gradients)[k], ids_of_operand(i),
                                     static_cast<std::size_t>(num_rows(rows_of_operand(i), whole)), size_of_row(i));
      }
    }
  }
  return result;
}

/// Owners that make parts go wrong: none has an interior, one is empty, a hub lies on the border.
inline std::vector<std::pair<std::string, ownership>> ownerships_of(test_graph const& graph, int num_ranks) {
  std::vector<std::pair<std::string, ownership>> found{{"ranges", partition(graph.csr(), num_ranks, by_edges{})}};
  auto const dealt = [&](auto const& rank_of) {
    std::vector<std::int32_t> destinations, sources;
    for (int v = 0; v < graph.num_destinations; ++v) destinations.push_back(rank_of(v));
    for (int u = 0; u < graph.num_sources; ++u) sources.push_back(rank_of(u + (graph.is_square() ? 0 : 1)));
    return graph.is_square() ? partition(graph.csr(), num_ranks, by_owner{destinations})
                             : partition(graph.csr(), num_ranks, by_owner{destinations, sources});
  };
  found.push_back({"in turn", dealt([&](int v) { return v % num_ranks; })});
  found.push_back({"the last rank has all but one", dealt([&](int v) { return v == 1 ? 0 : num_ranks - 1; })});
  return found;
}

/// Graphs on which exchanges go wrong.
inline std::vector<test_graph> const& graphs_of_ranks() {
  static std::vector<test_graph> const graphs{no_vertices(),          no_edges(5), self_loop(),
                                              multi_edges(),          chain(40),   one_hub(300, 41),
                                              bipartite(30, 11, 0.2), directed()};
  return graphs;
}

/// Runs a case over all ranks, with all owners and every set of gradients. All ranks have the same results; the first
/// one judges them.
template <class Case, class T = float>
void check_on_ranks() {
  random_stream random(std::string(Case::name) + ", on ranks");
  bool const judges = world().rank() == 0;
  for (auto const& graph : graphs_of_ranks()) {
    if (!fits<Case>(graph)) continue;
    auto request = draw_request<Case, T>(graph, extents_of<Case>({2, 3}), random);
    auto const expected = judges ? reference_of<Case>(request) : reference::program_values{};
    for (auto const& [name, owners] : ownerships_of(graph, world().size())) {
      INFO(Case::name << " on " << graph.name << ", owners: " << name);
      for (request.asked_set = -1; request.asked_set < num_gradient_sets<Case>; ++request.asked_set) {
        auto const result = run_on_ranks<Case>(request, owners);
        CHECK(result.damage == "");
        CHECK(result.num_allocations == 0);
        if (judges) check_result<Case>(request, result, expected);
      }
    }
  }
}

}  // namespace edgewise::testing
