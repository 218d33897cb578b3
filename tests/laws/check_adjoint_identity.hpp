// Gradients without any reference of them: the adjoint identity <g, J v> = <J^T g, v>, J v by differences in double.
#pragma once

#include <string>
#include <vector>

#include "plan/check_case.hpp"
#include "plan/host_machine.hpp"
#include "reference/finite_difference.hpp"

namespace edgewise::testing {

/// The forward pass as a function of all operands.
template <class Case>
auto forward_of(run_request<double> request) {
  request.asked_set = -1;
  return [request](reference::operands const& inputs) mutable {
    request.operands = inputs;
    return run_on_host<first_set<Case>>(request).out;
  };
}

/// The first set of gradients of the case asks for every operand, in order.
template <class Case>
void check_adjoint_identity(std::vector<test_graph> const& graphs = small_battery()) {
  random_stream random(std::string("adjoint identity: ") + Case::name);
  for (auto const& graph : graphs) {
    if (!fits<Case>(graph)) continue;
    INFO(Case::name << " on " << graph.name);
    reference::adjoint_identity identity;
    for (int attempt = 0; attempt < 8; ++attempt) {  // kinks may be drawn within a step
      auto request = draw_request<Case, double>(graph, extents_of<Case>({2, 5}), random);
      for (auto& values : request.operands) {
        fill_uniform(values, random, -1, 1);  // not on the grid, where kinks are common
        for (double& x : values) x += x < 0 ? -0.25 : 0.25;
      }
      request.asked_set = 0;
      auto const gradients = run_on_host<first_set<Case>>(request).gradients;
      identity = reference::check_adjoint(forward_of<Case>(request), request.operands, gradients, request.grad_out,
                                          random, 1e-6);
      if (identity.is_conclusive()) break;
    }
    INFO(identity);
    CHECK(identity);
  }
}

}  // namespace edgewise::testing
