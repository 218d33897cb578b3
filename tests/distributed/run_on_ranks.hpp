// A case of the battery over the ranks of a communicator: each runs its part of the graph, and all get the whole
// result.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <edgewise/distributed.hpp>

#include "plan/run_program.hpp"

namespace edgewise::testing {

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

/// Of its edges, by id.
inline std::vector<int> types_of(test_graph const& graph) {
  std::vector<int> types;
  for (int e = 0; e < graph.num_edges(); ++e) types.push_back(test_graph::type_of(e));
  return types;
}

/// The part of a rank, with types of edges for cases that read them.
template <class Case>
auto make_test_part(test_graph const& graph, ownership const& owners, int rank) {
  if constexpr (requires { Case::reads_types; }) {
    auto const by_type = to_typed_edges(cpu{}, graph.csr(), types_of(graph), graph.num_types);
    return make_part(cpu{}, edgewise::graph{graph.csr(), by_type.view()}, owners, rank);
  } else {
    return make_part(cpu{}, graph.csr(), owners, rank);
  }
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
template <class Comm, class Exec, class T>
std::vector<T> join_ranks(Comm& comm, Exec const& exec, std::vector<T> const& rows,
                          std::vector<std::int64_t> const& ids, std::size_t num_rows, std::size_t row_size) {
  auto const all_rows = edgewise::detail::gather_lists(comm, exec, rows);
  auto const all_ids = edgewise::detail::gather_lists(comm, exec, ids);
  std::vector<T> whole(num_rows * row_size);
  for (std::size_t q = 0; q < all_ids.size(); ++q) {
    for (std::size_t r = 0; r < all_ids[q].size(); ++r) {
      std::copy_n(all_rows[q].begin() + static_cast<std::ptrdiff_t>(r * row_size), row_size,
                  whole.begin() + all_ids[q][r] * static_cast<std::int64_t>(row_size));
    }
  }
  return whole;
}

/// Runs a case over the ranks of `comm`, of which this one is `machine`, with the vertices owned as `owners` says.
template <class Case, class Machine, class Comm, class T>
run_result<T> run_on_ranks(Machine const& machine, Comm& comm, run_request<T> const& request, ownership const& owners) {
  test_graph const& whole = *request.graph;
  auto const exec = machine.execution(0, machine.memory());
  distributed_graph const g(comm, exec, make_test_part<Case>(whole, owners, comm.rank()));
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
  auto const& out_ids = [&]() -> auto const& {
    if constexpr (requires { Case::is_of_edges; }) {
      return here.edges;
    } else {
      return here.destinations;
    }
  }
  ();
  std::size_t const out_size = out_extents<Case>(request.extents).elements(Case::out_kind);
  local.grad_out = rows_of_rank(request.grad_out, out_ids, out_size);

  using edges_type = ranked_edges<std::remove_const_t<decltype(g)>, decltype(mapping_of<Case>())>;
  auto result = run_program<Case>(machine, local, edges_type{&g, mapping_of<Case>()});

  auto const num_out = static_cast<std::size_t>(num_out_rows<Case>(whole));
  for (auto* out : {&result.out, &result.out_again, &result.out_without_saved}) {
    *out = join_ranks(comm, exec, *out, out_ids, num_out, out_size);
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
        (*gradients)[k] = join_ranks(comm, exec, (*gradients)[k], ids_of_operand(i),
                                     static_cast<std::size_t>(num_rows(rows_of_operand(i), whole)), size_of_row(i));
      }
    }
  }
  return result;
}

}  // namespace edgewise::testing
