#include "relation_cases.hpp"

#include "plan/check_case.hpp"
#include "plan/host_machine.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("operands by type: values and gradients on the battery", "[program]", relation_product,
                   relation_product_in_shares, relation_bases, relation_attention, relation_maximum, relation_scores) {
  check_case<TestType, float>(run_on_host<TestType, float>);
}

TEST_CASE("operands by type: the same bits for any number of threads", "[program]") {
  random_stream random("types: threads");
  auto const graph = random_skewed();
  auto request = draw_request<relation_attention, float>(graph, {2, 12}, random);
  request.asked_set = 1;
  check_any_threads(run_on_host<relation_attention, float>, request);
}
