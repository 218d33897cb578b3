#include "float16_edge_cases.hpp"

#include "plan/check_case.hpp"
#include "plan/host_machine.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("16-bit storage: outputs of edges and kept values of edges", "[program]", edge_dot_of_mixed,
                   edge_product_in_bfloat16, stashed_in_float16) {
  check_case<TestType, float>(run_on_host<TestType, float>);
}
