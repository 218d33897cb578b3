#include "not_chosen_check.hpp"

#include "plan/coo_device_test.hpp"
#include "plan/device_run.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("not chosen on a device: gets no gradient, whatever its derivative", "[program][gpu]", max_of_roots,
                   masked_logarithms, dropped_roots) {
  skip_without_cuda_device();
  check_not_chosen<TestType>(run_on_device<TestType, float>);
}

TEST_CASE("not chosen on a device: likewise over edges that are not grouped", "[program][gpu]") {
  skip_without_cuda_device();
  check_not_chosen<min_of_quotients>(coo_on_device<min_of_quotients, float, false>);
}

TEST_CASE("not chosen on a device: factors of 0 and equal messages", "[program][gpu]") {
  skip_without_cuda_device();
  check_zeros_of_roots(run_on_device<zeros_of_roots, float>);
}
