#include "head_sum_cases.hpp"

#include "plan/check_case.hpp"
#include "plan/host_machine.hpp"
#include "reference/finite_difference.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("sums over heads: values and gradients on the battery", "[program]", summed_heads,
                   scaled_head_sum EDGEWISE_MORE_CASES(mean_of_attention, summed_monet, shares_of_heads)) {
  check_case<TestType, double>(run_on_host<TestType, double>);
}

TEMPLATE_TEST_CASE("sums over heads: gradients follow difference quotients", "[program]", summed_heads,
                   shares_of_heads EDGEWISE_MORE_CASES(mean_of_attention, summed_monet)) {
  random_stream random(std::string("head sums, differences: ") + TestType::name);
  static auto const graph = directed();
  for (width const w : {width{1, 5}, width{3, 7}, width{8, 3}}) {
    INFO(w.heads << " x " << w.channels);
    auto request = draw_request<TestType, double>(graph, w, random);
    request.asked_set = 0;
    auto const gradients = run_on_host<first_set<TestType>>(request).gradients;
    auto forward = [request](reference::operands const& inputs) mutable {
      request.asked_set = -1;
      request.operands = inputs;
      return run_on_host<first_set<TestType>>(request).out;
    };
    CHECK(reference::check_gradient(forward, request.operands, gradients, request.grad_out, random,
                                    {.relative = 1e-6, .max_elements = 24}));
  }
}

/// Heads that fill a group: channels are then cut.
TEST_CASE("sums over heads: many heads, and channels that are cut", "[program]") {
  random_stream random("head sums: many heads");
  static auto const graph = make_test_graph("few edges", 3, 3, {{0, 1}, {2, 1}, {1, 0}, {1, 1}});
  for (width const w : {width{70, 5}, width{100, 33}, width{7, 3000}}) {
    check_request<summed_heads, float>(run_on_host<summed_heads, float>,
                                       draw_request<summed_heads, float>(graph, w, random));
  }
}
