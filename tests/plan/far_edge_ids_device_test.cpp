// Edge ids beyond 2^32, on a device: weights of all ids are in its memory.
#include "far_edge_ids_device_test.hpp"

#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("far edges on a device: ids beyond 2^32", "[plan][gpu]", edgewise::sum, edgewise::max) {
  skip_without_cuda_device();
  std::size_t const needed = 2 * sizeof(float) * first_far_edge + (std::size_t{1} << 30);  // weights and their gradient
  if (free_device_bytes() < needed) {
    skip_test(edgewise::detail::text("needs ", needed >> 30, " GiB of free device memory"));
  }
  check_far_ids(run_ids_on_device<TestType>);
}
