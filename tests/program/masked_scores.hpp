// Scores of -inf: masked edges and masked rows.
#pragma once

#include <limits>
#include <optional>

#include "attention_cases.hpp"
#include "far_scores.hpp"
#include "plan/check_case.hpp"

namespace edgewise::testing {

/// Masks a third of the edges, and all edges of every fourth row; `masked_value` replaces the masked edges' values.
template <class Run>
void check_masked_scores(Run const& run, std::optional<float> masked_value = {}) {
  random_stream random("masked scores");
  for (auto const& graph : program_battery()) {
    auto request = draw_request<edge_values, float>(graph, {2, 5}, random);
    for (int edge = 0; edge < graph.num_edges(); ++edge) {
      if (graph.destinations[edge] % 4 != 0 && random.below(3) != 0) continue;
      for (int i = 0; i < 2; ++i) request.operands[0][edge * 2 + i] = -std::numeric_limits<float>::infinity();
      for (int i = 0; masked_value && i < 10; ++i) request.operands[1][edge * 10 + i] = *masked_value;
    }
    INFO("masked edges have values like others: " << !masked_value);
    check_request<edge_values, float>(run, request);
  }
}

/// Scores far from 0: an edge weighs what it does among the same scores near 0.
template <class Run>
void check_far_scores(Run const& run) {
  random_stream random("far scores");
  for (auto const& graph : program_battery()) {
    auto request = draw_request<edge_values, float>(graph, {2, 5}, random);
    draw_far_scores(request.operands[0], graph, 2, random);
    check_request<edge_values, float>(run, request);
  }
}

/// Scores far apart, and beyond where exp overflows: no score's size may matter.
template <class Run>
void check_large_scores(Run const& run) {
  random_stream random("large scores");
  for (auto const& graph : small_battery(2000)) {
    auto request = draw_request<edge_scores, float>(graph, {2, 5}, random);
    for (float& score : request.operands[0]) score = static_cast<float>(128 * random.below(16) - 1024);
    check_request<edge_scores, float>(run, request);
  }
}

}  // namespace edgewise::testing
