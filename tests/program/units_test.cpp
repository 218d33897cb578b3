#include "units_cases.hpp"

#include "plan/check_case.hpp"
#include "plan/host_machine.hpp"
#include "units_graphs.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("units: values and gradients on small graphs", "[program]", normalized_weights, two_hops,
                   differences_of_means, below_the_maximum, normalized_edges) {
  check_case<TestType, float>(run_on_host<TestType, float>, units_battery());
}

TEST_CASE("units: three hops", "[program]") {
  check_case<propagation, float>(run_on_host<propagation, float>, small_battery(60));
}

TEST_CASE("units: the same bits for any number of threads", "[program]") {
  random_stream random("units: threads");
  auto const graph = random_skewed();
  auto request = draw_request<two_hops, float>(graph, {2, 12}, random);
  request.asked_set = 3;
  check_any_threads(run_on_host<two_hops, float>, request);
}
