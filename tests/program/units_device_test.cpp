#include "units_cases.hpp"

#include "plan/check_case.hpp"
#include "plan/device_run.hpp"
#include "support/device.hpp"
#include "units_graphs.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("units on a device: values and gradients on small graphs", "[program][gpu]", normalized_weights,
                   two_hops, differences_of_means, normalized_edges) {
  skip_without_cuda_device();
  check_case<TestType, float>(run_on_device<TestType, float>, units_battery());
}
