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

TEST_CASE("a work split from outside the library runs them on the device", "[gpu]") {
  edgewise::testing::skip_without_cuda_device();
  check_on_battery(edgewise::testing::battery(), device_distances_in_equal_pieces, device_smooth_maximum);
}

TEST_CASE("a format from outside the library is walked on the device", "[gpu]") {
  edgewise::testing::skip_without_cuda_device();
  for (int const degree : {1, 5}) {
    edgewise::testing::test_graph const graph = regular_graph(40, degree);
    operands const in = random_operands(graph, 33);
    check_equal(device_distances_over_lists(graph, degree, in), expected_distances(graph, in));
  }
}

}  // namespace
}  // namespace outside
