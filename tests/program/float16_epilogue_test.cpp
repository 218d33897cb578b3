#include "float16_epilogue_cases.hpp"

#include "plan/check_case.hpp"
#include "plan/host_machine.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("16-bit storage: epilogues, self edges and equal shares", "[program]", relu_of_mixed,
                   shared_sum_in_bfloat16 EDGEWISE_MORE_CASES(attention_layer_in_bfloat16, gat_with_self_in_float16)) {
  check_case<TestType, float>(run_on_host<TestType, float>);
}
