#include "elementwise_cases.hpp"

#include "plan/check_case.hpp"
#include "plan/device_run.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("elementwise functions on a device: values and gradients on the battery", "[program][gpu]",
                   elementwise_message, elementwise_epilogue, chosen_functions) {
  skip_without_cuda_device();
  check_case<TestType, float>(run_on_device<TestType, float>);
  check_cut_rows<TestType, float>(run_on_device<TestType, float>);
}
