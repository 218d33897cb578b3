#include "prod_cases.hpp"

#include "plan/check_case.hpp"
#include "plan/host_machine.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("prod: values and gradients on the battery", "[gather]", product_of_neighbors, product_of_weighted) {
  check_case<TestType, float>(run_on_host<TestType, float>);
}
