#include "per_lane_cases.hpp"

#include "plan/check_case.hpp"
#include "plan/host_machine.hpp"
#include "reference/finite_difference.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("per lane: values and gradients on the battery", "[program]", per_lane_roles, per_lane_vertices,
                   per_lane_attention, per_lane_extremum) {
  check_case<TestType, float>(run_on_host<TestType, float>);
}

TEMPLATE_TEST_CASE("per lane: gradients follow difference quotients", "[program]", per_lane_roles, per_lane_vertices,
                   per_lane_attention) {
  random_stream random(std::string("per lane, differences: ") + TestType::name);
  static auto const graph = directed();
  for (width const w : {width{1, 5}, width{3, 7}, width{8, 3}}) {
    INFO(w.heads << " x " << w.lanes);
    auto request = draw_request<TestType, double>(graph, w, random);
    for (auto& values : request.operands) fill_uniform(values, random, -1, 1);
    request.asked_set = 0;
    auto const gradients = run_on_host<first_set<TestType>>(request).gradients;
    auto forward = [request](reference::operands const& inputs) mutable {
      request.asked_set = -1;
      request.operands = inputs;
      return run_on_host<first_set<TestType>>(request).out;
    };
    CHECK(reference::check_gradient(forward, request.operands, gradients, request.grad_out, random,
                                    {.relative = 1e-7, .max_elements = 24}));
  }
}

/// Heads that fill a group: lanes are then cut, and rows of any width are served.
TEST_CASE("per lane: more heads than a small group holds, and lanes that are cut", "[program]") {
  random_stream random("per lane: many heads");
  static auto const graph = make_test_graph("few edges", 3, 3, {{0, 1}, {2, 1}, {1, 0}, {1, 1}});
  for (width const w : {width{70, 5}, width{100, 33}, width{7, 3000}}) {
    check_request<per_lane_roles, float>(run_on_host<per_lane_roles, float>,
                                         draw_request<per_lane_roles, float>(graph, w, random));
  }
}
