#include "hand_over_cases.hpp"

#include "plan/check_case.hpp"
#include "plan/device_run.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("hand_over on a device: values and gradients on the battery", "[program][gpu]", handed_edge_features,
                   handed_and_stashed, handed_two_sums) {
  skip_without_cuda_device();
  check_case<TestType, float>(run_on_device<TestType, float>);
  check_cut_rows<TestType, float>(run_on_device<TestType, float>);
}

TEST_CASE("hand_over on a device: 16 bits", "[program][gpu]") {
  skip_without_cuda_device();
  check_case<handed_in_float16, float>(run_on_device<handed_in_float16, float>);
}
