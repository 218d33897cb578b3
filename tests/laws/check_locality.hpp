// NaN and infinity reach the elements that depend on them, and no others.
#pragma once

#include <limits>
#include <string>

#include "plan/check_case.hpp"

namespace edgewise::testing {

/// Graphs in which vertex 0 has neighbors and most rows do not see it. Masked channels of the last block of a row read
/// row 0 of every operand, so that it must be row 0 that is planted.
inline std::vector<test_graph> const& locality_graphs() {
  static std::vector<test_graph> const graphs{directed(), symmetric(), border_degrees(), multi_edges()};
  return graphs;
}

/// Plants `planted` in row 0 of one operand after another and judges values and the first set of gradients: NaN where
/// float64 has NaN, and right numbers everywhere else. A parameter is seen by all: it is left alone.
template <class Case, class Run>
void check_locality(Run const& run, double planted, bool judge_gradients = true) {
  random_stream random(std::string("locality: ") + Case::name);
  for (auto const& graph : locality_graphs()) {
    if (!fits<Case>(graph)) continue;
    for (width const w : {width{1, 5}, width{2, 12}, width{3, 7}}) {
      width const extents = extents_of<Case>(w);
      for (int planted_operand = 0; planted_operand < num_operands<Case>; ++planted_operand) {
        auto request = draw_request<Case, float>(graph, extents, random);
        bool is_parameter = false;
        std::size_t row_size = 1;
        [&]<class... O>(std::tuple<O...>*) {
          int k = 0;
          ((k++ == planted_operand
                ? (void)(is_parameter = O::rows == rows_of::parameter, row_size = extents.elements(O::kind))
                : void()),
           ...);
        }(static_cast<typename Case::operands*>(nullptr));
        if (is_parameter) continue;
        // One channel of some rows, so that channels are told apart too; all of others.
        auto& values = request.operands[planted_operand];
        std::size_t const first = random.below(2) == 0 ? 0 : row_size / 2;
        std::size_t const last = first == 0 ? row_size : first + 1;
        for (std::size_t i = first; i < last; ++i) values.at(i) = static_cast<float>(planted);
        INFO(Case::name << " on " << graph.name << ", " << extents.heads << " x " << extents.channels << ", " << planted
                        << " in elements " << first << " to " << last << " of operand " << planted_operand);
        auto const expected = reference_of<Case>(request);
        request.asked_set = 0;
        auto const result = run(request);
        tolerance_rule rule = rule_for<Case, float>();
        rule.nan = nan_policy::match;
        CHECK(result.damage == "");
        CHECK(compare(result.out, expected.out, rule));
        if (!judge_gradients) continue;
        auto const asked = describe(std::tuple_element_t<0, typename Case::gradients>{});
        for (std::size_t i = 0; i < asked.size(); ++i) {
          INFO("gradient " << i);
          CHECK(compare(result.gradients[i], expected_gradient(expected, request, asked[i]), rule));
        }
      }
    }
  }
}

}  // namespace edgewise::testing
