#include "epilogue_cases.hpp"

#include "plan/check_case.hpp"
#include "plan/host_machine.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("epilogue: values and gradients on the battery", "[program]", relu_of_biased_sum,
                   scaled_by_weight_of_head EDGEWISE_MORE_CASES(mean_and_self, everywhere, shared_parameter,
                                                                several_gathers, product_of_gathers, attention_layer,
                                                                shared_bias, scaled_by_weight_of_row)) {
  check_case<TestType, float>(run_on_host<TestType, float>);
}
