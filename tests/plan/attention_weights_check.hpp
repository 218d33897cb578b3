// Judges attention weights that are given out.
#pragma once

#include "attention_weights_cases.hpp"
#include "program/edge_softmax_check.hpp"

namespace edgewise::testing {

/// Judges the weights of every edge, in packed rows and in rows that lie apart.
template <class Case, class Run>
void check_weights(Run const& run, std::vector<test_graph> const& graphs = edge_softmax_graphs()) {
  random_stream random(std::string(Case::name) + ", weights");
  for (auto const& graph : graphs) {
    if (!fits<Case>(graph)) continue;
    for (width const w : {width{1, 3}, width{4, 8}, width{3, 5}}) {
      for (array_layout const layout : {array_layout{}, array_layout{.row_padding = 3}}) {
        INFO(Case::name << " on " << graph.name << ", " << w.heads << " x " << w.channels);
        auto request = draw_request<Case, float>(graph, extents_of<Case>(w), random);
        request.layout = layout;
        auto const expected =
            reference::evaluate<weights_of<Case>>(graph, request.extents, widened_operands(request), {});
        auto const result = run(request);
        CHECK(result.damage == "");
        CHECK(result.num_allocations == 0);
        CHECK(compare(result.weights, expected.out, rule_for<Case, float>()));
        CHECK(same_bits(result.weights, result.weights_again));
      }
    }
  }
}

}  // namespace edgewise::testing
