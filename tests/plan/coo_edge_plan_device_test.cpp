#include "coo_check.hpp"
#include "coo_device_test.hpp"
#include "program/edge_cases.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEST_CASE("coo edge plan on a device: values and gradients, edges in any order", "[plan][gpu]") {
  skip_without_cuda_device();
  check_scattered<exact_edge_dot, float>(coo_on_device<exact_edge_dot, float, true>);
}

TEST_CASE("coo edge plan on a device: gradients stored in 16 bits", "[plan][gpu]") {
  skip_without_cuda_device();
  using narrow = stored_as<exact_edge_dot, bfloat16>;
  check_scattered<narrow, float>(coo_on_device<narrow, float, true>);
}
