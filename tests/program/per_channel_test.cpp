#include "per_channel_cases.hpp"

#include "plan/check_case.hpp"
#include "plan/host_machine.hpp"
#include "reference/finite_difference.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("per channel: values and gradients on the battery", "[program]", per_channel_roles,
                   per_channel_extremum EDGEWISE_MORE_CASES(per_channel_vertices, per_channel_attention)) {
  check_case<TestType, double>(run_on_host<TestType, double>);
}

TEMPLATE_TEST_CASE("per channel: gradients follow difference quotients", "[program]", per_channel_roles,
                   per_channel_vertices, per_channel_attention) {
  random_stream random(std::string("per channel, differences: ") + TestType::name);
  static auto const graph = directed();
  for (width const w : {width{1, 5}, width{3, 7}, width{8, 3}}) {
    INFO(w.heads << " x " << w.channels);
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

/// Heads that fill a group: channels are then cut, and rows of any width are served.
TEST_CASE("per channel: more heads than a small group holds, and channels that are cut", "[program]") {
  random_stream random("per channel: many heads");
  static auto const graph = make_test_graph("few edges", 3, 3, {{0, 1}, {2, 1}, {1, 0}, {1, 1}});
  for (width const w : {width{70, 5}, width{100, 33}, width{7, 3000}}) {
    check_request<per_channel_roles, float>(run_on_host<per_channel_roles, float>,
                                            draw_request<per_channel_roles, float>(graph, w, random));
  }
}
