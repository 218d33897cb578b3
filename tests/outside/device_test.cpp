#include "device_test.hpp"

#include "check.hpp"
#include "support/device.hpp"

namespace outside {
namespace {

TEST_CASE("an operation and a gather from outside the library run forward and backward on the device", "[gpu]") {
  edgewise::testing::skip_without_cuda_device();
  check_on_battery(edgewise::testing::battery(), device_distances, device_smooth_maximum);
}

TEST_CASE("a mapping from outside the library runs them on the device", "[gpu]") {
  edgewise::testing::skip_without_cuda_device();
  check_on_battery(edgewise::testing::battery(), device_distances_in_pieces, device_smooth_maximum_in_pieces);
}

}  // namespace
}  // namespace outside
