#include "stddev_cases.hpp"

#include "plan/check_case.hpp"
#include "plan/host_machine.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("stddev: values and gradients on the battery", "[gather]", deviation_of_neighbors,
                   deviation_of_weighted, deviation_of_activated) {
  check_case<TestType, float>(run_on_host<TestType, float>);
}
