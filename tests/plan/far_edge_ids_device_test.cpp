// Edge ids beyond 2^32, on a device: weights of all ids are in its memory.
#include "far_edge_ids_device_test.hpp"

#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("far edges on a device: ids beyond 2^32", "[plan][gpu]", edgewise::sum, edgewise::max) {
  skip_without_device_bytes(2 * sizeof(float) * first_far_edge + (std::size_t{1} << 30));  // weights and their gradient
  check_far_ids(run_ids_on_device<TestType>);
}
