#include "support/catch.hpp"

#include "coo_cases.hpp"
#include "coo_check.hpp"
#include "coo_device_test.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("scatter on a device: sums stored in 16 bits", "[plan][gpu]", scattered_all_bfloat16,
                   scattered_adding_bfloat16, scattered_all_float16, scattered_float16_vectors) {
  skip_without_cuda_device();
  check_scattered<TestType, float>(coo_on_device<TestType, float, true>);
}

TEST_CASE("scatter on a device: extrema stored in 16 bits", "[plan][gpu]") {
  skip_without_cuda_device();
  check_scattered<scattered_bfloat16_extremum, float>(coo_on_device<scattered_bfloat16_extremum, float, false>);
}
