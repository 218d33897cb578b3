#include "hoisted_cases.hpp"

#include "plan/check_case.hpp"
#include "plan/coo_run.hpp"
#include "plan/host_machine.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("hoisted expressions: values and gradients on the battery", "[program]", hoisted_by_rows,
                   hoisted_messages EDGEWISE_MORE_CASES(shared_on_edges, hoisted_scores, hoisted_with_numbers,
                                                        hoisted_by_vertices)) {
  check_case<TestType, float>(run_on_host<TestType, float>);
}

TEMPLATE_TEST_CASE("hoisted expressions: the same over edges that are not grouped", "[program]", hoisted_by_rows,
                   shared_on_edges) {
  auto const run = [](run_request<float> const& request) {
    return run_scattered<TestType>(host_machine{}, request, edge_order::by_id);
  };
  check_case<TestType, float>(run);
}
