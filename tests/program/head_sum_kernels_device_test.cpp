#include "head_sum_cases.hpp"

#include "plan/check_case.hpp"
#include "plan/device_run.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("sums over kernels and shares of heads on a device", "[program][gpu]", summed_monet,
                   shares_of_heads) {
  skip_without_cuda_device();
  check_case<TestType, float>(run_on_device<TestType, float>);
}
