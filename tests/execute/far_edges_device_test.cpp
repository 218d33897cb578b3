// Offsets and edge ids beyond 2^32, on a device.
#include "far_edges_device_test.hpp"

#include <iostream>

#include "gather/max_cases.hpp"
#include "gather/sum_cases.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("far edges on a device: offsets beyond 2^32", "[execute][gpu]", weighted_sum<operand_kind::per_row>,
                   extremum_of_weighted<edgewise::max>) {
  skip_without_cuda_device();
  check_far_edges<TestType>(run_far_on_device<TestType>);
}

TEMPLATE_TEST_CASE("far edges on a device: ids beyond 2^32", "[execute][gpu]", edgewise::sum, edgewise::max) {
  skip_without_cuda_device();
  std::size_t const needed = 2 * sizeof(float) * first_far_edge + (std::size_t{1} << 30);  // weights and their gradient
  if (free_device_memory() < needed) {
    std::cout << "left out: needs " << (needed >> 30) << " GiB of free device memory\n";
    return;
  }
  check_far_ids(run_ids_on_device<TestType>);
}
