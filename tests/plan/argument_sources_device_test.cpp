#include "argument_sources_check.hpp"
#include "support/device.hpp"

using namespace edgewise::testing;

TEST_CASE("argument_sources on a device: the sources of maxima and minima on the battery", "[plan][gpu]") {
  skip_without_cuda_device();
  check_sources(battery(), sources_on_device);
}
