#include <edgewise/mapping/edge_balanced.hpp>

#include "check_mapping.hpp"
#include "gather/max_cases.hpp"
#include "plan/host_machine.hpp"
#include "program/attention_cases.hpp"
#include "program/epilogue_cases.hpp"
#include "program/with_self_cases.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEST_CASE("edge_balanced: takes every edge of a grouping once", "[mapping]") {
  check_every_edge_once<mapped<exact_sum, by_edges>>(run_on_host<mapped<exact_sum, by_edges>, float>);
}

TEMPLATE_TEST_CASE("edge_balanced: values and gradients", "[mapping]", gatv2,
                   shared_parameter EDGEWISE_MORE_CASES(several_gathers, extremum_of_neighbors<edgewise::max>)) {
  check_mapping<mapped<TestType, by_edges>>(run_on_host<mapped<TestType, by_edges>, float>);
}

TEST_CASE("edge_balanced: extrema are the same bits as with whole rows", "[mapping]") {
  using largest = extremum_of_neighbors<edgewise::max>;
  using smallest = extremum_of_weighted<edgewise::min>;
  check_same_bits<largest>(run_on_host<largest, float>, run_on_host<mapped<largest, by_edges>, float>, draw::grid);
  check_same_bits<smallest>(run_on_host<smallest, float>, run_on_host<mapped<smallest, by_edges>, float>, draw::grid);
}

TEST_CASE("edge_balanced: the same bits for any number of threads", "[mapping]") {
  random_stream random("edge_balanced: threads");
  using Case = mapped<gatv2, by_edges>;
  for (auto const& graph : {random_skewed(), one_hub(), many_edges()}) {
    auto request = draw_request<Case, float>(graph, {2, 12}, random);
    request.asked_set = 0;
    check_any_threads(run_on_host<first_set<Case>, float>, request);
  }
}
