// Judges cases that ran over ranks.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <edgewise/distributed/partition.hpp>

#include "plan/check_case.hpp"

namespace edgewise::testing {

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

/// The same, and one whose parts have rows, and edges, of every kind.
inline std::vector<test_graph> graphs_of_parts() {
  auto graphs = graphs_of_ranks();
  graphs.push_back(random_skewed(500, 4000));
  return graphs;
}

/// Runs a case over all ranks, with all owners and every set of gradients. All ranks have the same results; the first
/// one judges them. Run: of a request and owners, this rank's result.
template <class Case, class T, class Run>
void check_on_ranks(Run const& run, int rank, int num_ranks) {
  random_stream random(std::string(Case::name) + ", on ranks");
  bool const judges = rank == 0;
  int channels = 3;
  for (auto const& graph : graphs_of_ranks()) {
    if (!fits<Case>(graph)) continue;
    channels = 7 - channels;  // 4 and 3: rows that move in whole words, and not
    auto request = draw_request<Case, T>(graph, extents_of<Case>({2, channels}), random);
    auto const expected = judges ? reference_of<Case>(request) : reference::program_values{};
    for (auto const& [name, owners] : ownerships_of(graph, num_ranks)) {
      INFO(Case::name << " on " << graph.name << ", owners: " << name);
      for (request.asked_set = -1; request.asked_set < num_gradient_sets<Case>; ++request.asked_set) {
        auto const result = run(request, owners);
        CHECK(result.damage == "");
        CHECK(result.num_allocations == 0);
        if (judges) check_result<Case>(request, result, expected);
      }
    }
  }
}

}  // namespace edgewise::testing
