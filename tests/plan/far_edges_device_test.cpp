// Offsets beyond 2^32, on a device.
#include "far_edges_device_test.hpp"

#include "gather/max_cases.hpp"
#include "gather/sum_cases.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("far edges on a device: offsets beyond 2^32", "[plan][gpu]", weighted_sum<operand_kind::per_row>,
                   extremum_of_weighted<edgewise::max>) {
  skip_without_device_bytes((sizeof(int) + sizeof(long long)) * first_far_edge +
                            (std::size_t{1} << 30));  // sources, ids
  check_far_edges<TestType>(run_far_on_device<TestType>);
}
