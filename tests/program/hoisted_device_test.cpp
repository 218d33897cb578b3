#include "hoisted_cases.hpp"

#include "plan/check_case.hpp"
#include "plan/device_run.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("hoisted expressions on a device: values and gradients on the battery", "[program][gpu]",
                   hoisted_by_rows, hoisted_scores, hoisted_by_vertices) {
  skip_without_cuda_device();
  check_case<TestType, float>(run_on_device<TestType, float>);
  check_cut_rows<TestType, float>(run_on_device<TestType, float>);
}
