// The adjoint identity holds for whole programs, and flags what is wrong.
#include "support/catch.hpp"

#include "check_adjoint_identity.hpp"
#include "gather/prod_cases.hpp"
#include "gather/stddev_cases.hpp"
#include "program/attention_cases.hpp"
#include "program/epilogue_cases.hpp"

using namespace edgewise;
using namespace edgewise::testing;

/// The first set of each of these cases asks for every operand, in order.
TEMPLATE_TEST_CASE("adjoint identity: holds for whole programs in double", "[laws]", gatv2,
                   deviation_of_weighted EDGEWISE_MORE_CASES(transformer, relu_of_biased_sum, several_gathers,
                                                             attention_layer, everywhere, product_of_weighted)) {
  check_adjoint_identity<TestType>();
}

TEST_CASE("adjoint identity: flags a gradient that is 1 % off", "[laws]") {
  random_stream random("adjoint identity: 1 %");
  auto const graph = directed();
  auto request = draw_request<transformer, double>(graph, {2, 5}, random);
  request.asked_set = 0;
  auto gradients = run_on_host<first_set<transformer>>(request).gradients;
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
