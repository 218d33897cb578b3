#include <edgewise/plan/recipe/coo_edges.hpp>

#include "support/catch.hpp"

#include "check_case.hpp"
#include "coo_run.hpp"
#include "host_machine.hpp"
#include "program/edge_cases.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("coo edge plan: values and gradients, edges in any order", "[plan]", edge_dot,
                   (stored_as<edge_product, bfloat16>)EDGEWISE_MORE_CASES(edge_difference, edge_product, edge_score)) {
  check_case<TestType, float>(
      [](run_request<float> const& request) {
        return run_scattered<TestType>(host_machine{}, request, edge_order::shuffled);
      },
      small_battery(400));
}

TEST_CASE("coo edge plan: the values of a graph grouped by destination", "[plan]") {
  random_stream random("coo edge plan: values");
  auto const graph = random_skewed();
  for (width const w : {width{1, 16}, width{3, 5}}) {
    auto const request = draw_request<edge_product, float>(graph, w, random);
    auto const grouped = run_on_host<edge_product, float>(request);
    CHECK(same_bits(run_scattered<edge_product>(host_machine{}, request, edge_order::by_id).out, grouped.out));
  }
}

TEST_CASE("coo edge plan: the same bits for any number of threads, which share the edges", "[plan]") {
  random_stream random("coo edge plan: threads");
  auto const graph = random_skewed(400, 20000);
  auto request = draw_request<edge_dot, float>(graph, {3, 5}, random);
  request.asked_set = 0;
  check_any_threads(
      [](run_request<float> const& r) { return run_scattered<edge_dot>(host_machine{}, r, edge_order::shuffled); },
      request);
}
