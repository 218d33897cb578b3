// Gradients without any reference of them: the adjoint identity <g, J v> = <J^T g, v>, J v by differences in double.
#include <catch2/catch.hpp>

#include "execute/check_case.hpp"
#include "execute/host_machine.hpp"
#include "gather/prod_cases.hpp"
#include "gather/stddev_cases.hpp"
#include "program/attention_cases.hpp"
#include "program/epilogue_cases.hpp"
#include "reference/finite_difference.hpp"

using namespace edgewise;
using namespace edgewise::testing;

namespace {

/// The forward pass as a function of all operands.
template <class Case>
auto forward_of(run_request<double> request) {
  request.asked_set = -1;
  return [request](reference::operands const& inputs) mutable {
    request.operands = inputs;
    return run_on_host<Case>(request).out;
  };
}

}  // namespace

/// The first set of each of these cases asks for every operand, in order.
TEMPLATE_TEST_CASE("adjoint identity: holds for whole programs in double", "[laws]", gatv2, transformer,
                   relu_of_biased_sum, several_gathers, attention_layer, everywhere, product_of_weighted,
                   deviation_of_weighted) {
  random_stream random(std::string("adjoint identity: ") + TestType::name);
  for (auto const& graph : small_battery()) {
    if (!fits<TestType>(graph)) continue;
    INFO(graph.name);
    reference::adjoint_identity identity;
    for (int attempt = 0; attempt < 8; ++attempt) {  // kinks may be drawn within a step
      auto request = draw_request<TestType, double>(graph, extents_of<TestType>({2, 5}), random);
      for (auto& values : request.operands) {
        fill_uniform(values, random, -1, 1);  // not on the grid, where kinks are common
        for (double& x : values) x += x < 0 ? -0.25 : 0.25;
      }
      request.asked_set = 0;
      auto const gradients = run_on_host<TestType>(request).gradients;
      identity = reference::check_adjoint(forward_of<TestType>(request), request.operands, gradients, request.grad_out,
                                          random, 1e-6);
      if (identity.is_conclusive()) break;
    }
    INFO(identity);
    CHECK(identity);
  }
}

TEST_CASE("adjoint identity: flags a gradient that is 1 % off", "[laws]") {
  random_stream random("adjoint identity: 1 %");
  auto const graph = directed();
  auto request = draw_request<transformer, double>(graph, {2, 5}, random);
  request.asked_set = 0;
  auto gradients = run_on_host<transformer>(request).gradients;
  for (double& x : gradients[1]) x *= 1.01;
  CHECK_FALSE(reference::check_adjoint(forward_of<transformer>(request), request.operands, gradients, request.grad_out,
                                       random, 1e-6));
}

TEMPLATE_TEST_CASE("double: values and gradients to double's precision", "[laws]", gatv2, several_gathers) {
  random_stream random("double");
  static auto const graph = directed();
  for (width const w : {width{1, 1}, width{4, 8}, width{3, 5}}) {
    check_request<TestType, double>(run_on_host<TestType, double>, draw_request<TestType, double>(graph, w, random));
  }
}
