#include "dropout_cases.hpp"

#include "execute/check_case.hpp"
#include "execute/host_machine.hpp"
#include "execute/scatter_run.hpp"
#include "reference/finite_difference.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("dropout: values and gradients on the battery", "[program]", dropped_messages, dropped_layer,
                   dropped_attention, dropped_attention_with_self, dropped_factors, dropped_extremum, dropped_held,
                   dropped_gathers) {
  check_case<TestType, float>(run_on_host<TestType, float>);
}

TEST_CASE("dropout: rows that are cut into tiles", "[program]") {
  check_wide_rows<dropped_messages, float>(run_on_host<dropped_messages, float>);
}

TEST_CASE("dropout: edges that are not grouped draw the same masks", "[program]") {
  check_case<dropped_messages, float>([](run_request<float> const& request) {
    return run_scattered<dropped_messages>(host_machine{}, request, edge_order::shuffled);
  });
}

/// The mask stays fixed while operands move.
TEMPLATE_TEST_CASE("dropout: gradients follow difference quotients", "[program]", dropped_messages, dropped_layer,
                   dropped_attention, dropped_attention_with_self, dropped_factors, dropped_held, dropped_gathers) {
  random_stream random(std::string("dropout, differences: ") + TestType::name);
  static auto const graph = directed();
  for (width const w : {width{1, 5}, width{3, 8}}) {
    INFO(w.heads << " x " << w.lanes);
    auto request = draw_request<TestType, double>(graph, w, random);
    for (auto& values : request.operands)
      fill_uniform(values, random, -1, 1);  // not on the grid, where kinks are common
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

TEMPLATE_TEST_CASE("dropout: the same bits for any number of threads", "[program]", dropped_messages,
                   dropped_attention_with_self) {
  random_stream random("dropout: threads");
  auto const graph = directed();
  auto request = draw_request<TestType, float>(graph, {2, 33}, random);
  request.asked_set = 0;
  check_any_threads(run_on_host<TestType, float>, request);
}
