#include "max_cases.hpp"

#include "execute/check_case.hpp"
#include "execute/host_machine.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("max and min: values and gradients on the battery", "[gather]", extremum_of_neighbors<edgewise::max>,
                   extremum_of_neighbors<edgewise::min>, extremum_of_weighted<edgewise::max>,
                   extremum_of_weighted<edgewise::min>, max_of_differences, min_of_activated) {
  check_case<TestType, float>(run_on_host<TestType, float>);
}
