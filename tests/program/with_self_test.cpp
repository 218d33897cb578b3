#include "with_self_cases.hpp"

#include "plan/check_case.hpp"
#include "plan/host_machine.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("with_self: values and gradients on the battery", "[program]", weighted_sum_with_self,
                   gat_with_self EDGEWISE_MORE_CASES(max_with_self, mean_and_deviation_with_self)) {
  check_case<TestType, float>(run_on_host<TestType, float>);
}
