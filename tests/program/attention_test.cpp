#include "attention_cases.hpp"

#include "plan/check_case.hpp"
#include "plan/host_machine.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("attention: values and gradients on the battery", "[program]", dot_weighted_sum,
                   row_values EDGEWISE_MORE_CASES(sum_of_scores, transformer, two_scores, scored_head_values,
                                                  scored_row_values, gat, gatv2, edge_scores, head_values)) {
  check_case<TestType, float>(run_on_host<TestType, float>);
}
