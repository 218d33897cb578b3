// Judges that what was not chosen reaches no gradient, whatever its derivative.
#pragma once

#include "not_chosen_cases.hpp"
#include "support/catch.hpp"
#include "support/graphs.hpp"

namespace edgewise::testing {

/// A request over the graph of not_chosen_cases.hpp, with gradients of the output that differ from element to element.
inline run_request<float> not_chosen_request(width extents) {
  static test_graph const graph = make_test_graph("not chosen", 5, 3, not_chosen_edges);
  run_request<float> request;
  request.graph = &graph;
  request.extents = extents;
  for (std::size_t i = 0; i < 3 * extents.elements(operand_kind::wide); ++i) {
    request.grad_out.push_back(1 + 0.25f * static_cast<float>(i % 7));
  }
  return request;
}

/// The same gradients, all of them finite, whether what is not chosen is harmless or not.
template <class Case, class Run>
void check_not_chosen(Run const& run) {
  for (width const extents : {width{1, 1}, width{1, 5}, width{3, 33}, width{2, 64}}) {
    auto request = not_chosen_request(extents);
    for (request.asked_set = 0; request.asked_set < num_gradient_sets<Case>; ++request.asked_set) {
      INFO(Case::name << ", " << extents.heads << " x " << extents.channels << ", set " << request.asked_set);
      request.operands = Case::values(extents, false);
      auto const expected = run(request);
      request.operands = Case::values(extents, true);
      auto const actual = run(request);
      REQUIRE(actual.gradients.size() == expected.gradients.size());
      for (std::size_t k = 0; k < actual.gradients.size(); ++k) {
        INFO("gradient " << k);
        REQUIRE(actual.gradients[k].size() == expected.gradients[k].size());
        std::size_t wrong = 0;
        double total = 0;
        for (std::size_t i = 0; i < actual.gradients[k].size(); ++i) {
          wrong += actual.gradients[k][i] == expected.gradients[k][i] ? 0 : 1;  // NaN differs from all
          total += std::abs(expected.gradients[k][i]);
        }
        CHECK(wrong == 0);
        CHECK(total < 1e6);
      }
    }
  }
}

template <class Run>
void check_zeros_of_roots(Run const& run) {
  auto request = not_chosen_request({2, 5});
  request.asked_set = 0;
  request.operands = {std::vector<float>(not_chosen_edges.size() * 10, 0.0f)};
  auto const gradient = run(request).gradients.at(0);
  for (std::size_t i = 0; i < 6 * 10; ++i) CHECK(gradient.at(i) == 0);  // rows of three edges
}

}  // namespace edgewise::testing
