// Judges softmax over the edges of a row as an output of edges.
#pragma once

#include <limits>
#include <optional>

#include "edge_softmax_cases.hpp"
#include "far_scores.hpp"
#include "plan/check_case.hpp"

namespace edgewise::testing {

/// The small graphs of the battery, since the reference goes through a row for each of its edges, and a row that
/// devices cut.
inline std::vector<test_graph> const& edge_softmax_graphs() {
  static std::vector<test_graph> const graphs = [] {
    auto all = small_battery(400);
    all.push_back(one_hub(300));
    return all;
  }();
  return graphs;
}

template <class Case, class Run>
void check_edge_softmax(Run const& run, std::vector<test_graph> const& graphs = edge_softmax_graphs()) {
  check_case<Case, float>(run, graphs);
}

/// Masks a third of the edges, and all edges of every fourth row; `masked_value` replaces the masked edges' values.
template <class Run>
void check_masked_edges(Run const& run, std::optional<float> masked_value = {}) {
  random_stream random("masked edges");
  for (auto const& graph : edge_softmax_graphs()) {
    auto request = draw_request<edge_masked_values, float>(graph, {2, 5}, random);
    for (int edge = 0; edge < graph.num_edges(); ++edge) {
      if (graph.destinations[edge] % 4 != 0 && random.below(3) != 0) continue;
      for (int i = 0; i < 2; ++i) request.operands[0][edge * 2 + i] = -std::numeric_limits<float>::infinity();
      for (int i = 0; masked_value && i < 10; ++i) request.operands[1][edge * 10 + i] = *masked_value;
    }
    INFO("masked edges have values like others: " << !masked_value);
    check_request<edge_masked_values, float>(run, request);
  }
}

/// Scores far apart, and beyond where exp overflows; scores far from 0.
template <class Run>
void check_large_edge_scores(Run const& run) {
  random_stream random("large edge scores");
  for (auto const& graph : edge_softmax_graphs()) {
    auto request = draw_request<edge_masked_values, float>(graph, {2, 5}, random);
    for (float& score : request.operands[0]) score = static_cast<float>(128 * random.below(16) - 1024);
    check_request<edge_masked_values, float>(run, request);
    draw_far_scores(request.operands[0], graph, 2, random);
    check_request<edge_masked_values, float>(run, request);
  }
}

}  // namespace edgewise::testing
