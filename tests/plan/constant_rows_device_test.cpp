#include "constant_rows_cases.hpp"

#include "plan/check_case.hpp"
#include "plan/device_run.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("constant_rows on a device: values and gradients on the battery", "[plan][gpu]", constant_vectors,
                   constant_scores) {
  skip_without_cuda_device();
  check_case<TestType, float>(run_on_device<TestType, float>);
}
