#include "edge_cases.hpp"

#include <edgewise/program/edge_program.hpp>

#include "plan/check_case.hpp"
#include "plan/host_machine.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("edge programs: values and gradients on the battery", "[program]", edge_dot,
                   edge_functor EDGEWISE_MORE_CASES(edge_difference, edge_product, edge_number_of_rows, edge_score)) {
  check_case<TestType, float>(run_on_host<TestType, float>);
}
