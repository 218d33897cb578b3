#include "float16_cases.hpp"

#include "plan/check_case.hpp"
#include "plan/host_machine.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("16-bit storage: values and gradients of attention on the battery", "[program]",
                   transformer_in_bfloat16,
                   gatv2_of_mixed EDGEWISE_MORE_CASES(transformer_of_mixed, gat_in_float16, gat_of_mixed,
                                                      gatv2_in_bfloat16)) {
  check_case<TestType, float>(run_on_host<TestType, float>);
}
