#include "dropout_cases.hpp"

#include "plan/check_case.hpp"
#include "plan/device_run.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("dropped factors on a device: values and gradients on the battery", "[program][gpu]",
                   dropped_factors, dropped_head_sum, dropped_hoisted) {
  skip_without_cuda_device();
  check_case<TestType, float>(run_on_device<TestType, float>);
}
