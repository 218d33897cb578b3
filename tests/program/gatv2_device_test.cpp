#include "attention_cases.hpp"

#include "laws/check_locality.hpp"
#include "plan/check_case.hpp"
#include "plan/device_run.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("GATv2 on a device: values and gradients on the battery", "[program][gpu]", gatv2) {
  skip_without_cuda_device();
  check_case<TestType, float>(run_on_device<TestType, float>);
  check_cut_rows<TestType, float>(run_on_device<TestType, float>);
}

TEST_CASE("GATv2 on a device: NaN reaches who depends on it", "[program][gpu]") {
  skip_without_cuda_device();
  check_locality<gatv2>(run_on_device<gatv2, float>, std::numeric_limits<double>::quiet_NaN());
}
