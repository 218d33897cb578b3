#include "sum_cases.hpp"

#include "plan/check_case.hpp"
#include "plan/host_machine.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("sum: values and gradients on the battery", "[gather]", weighted_sum<operand_kind::per_row>,
                   sum_of_edges<operand_kind::per_head> EDGEWISE_MORE_CASES(
                       weighted_sum<operand_kind::per_head>, weighted_sum<operand_kind::wide>, mean_of_neighbors,
                       mean_of_weighted, sum_of_differences, sum_of_edges<operand_kind::per_row>)) {
  check_case<TestType, float>(run_on_host<TestType, float>);
}

TEMPLATE_TEST_CASE("sum: rows wider than any group", "[gather]", weighted_sum<operand_kind::per_row>,
                   weighted_sum<operand_kind::per_head>) {
  check_wide_rows<TestType, float>(run_on_host<TestType, float>);
}
