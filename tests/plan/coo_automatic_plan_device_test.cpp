#include "coo_automatic_plan_device_test.hpp"

#include "support/catch.hpp"

#include "coo_automatic_cases.hpp"
#include "coo_check.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("automatic over coo on a device: groups edges, or scatters them", "[plan][gpu]",
                   in_any_order<scattered_weighted_sum>, in_any_order<scattered_extremum<edgewise::max>>) {
  skip_without_cuda_device();
  check_scattered<TestType, float>(choose_on_device<TestType, false>);
  check_scattered<TestType, float>(choose_on_device<TestType, true>);
}

TEST_CASE("automatic over coo on a device: the number of passes decides", "[plan][gpu]") {
  skip_without_cuda_device();
  CHECK_FALSE(groups_on_device(1));
  CHECK(groups_on_device(1000));
}
