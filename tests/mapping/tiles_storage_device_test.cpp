// Rows in tiles beside the same rows whole, of 16-bit numbers, and with 64-bit offsets.
#include "check_mapping.hpp"
#include "plan/device_run.hpp"
#include "support/device.hpp"
#include "tiles_cases.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEST_CASE("tiles on a device: the same bits as rows taken whole", "[mapping][gpu]") {
  skip_without_cuda_device();
  auto graphs = mapping_graphs();
  graphs.push_back(reversed(one_hub(), "one hub, reversed"));  // a cut row in the backward pass
  check_same_bits<sum_of_rows>(run_on_device<sum_in_tiles, float>, run_on_device<sum_of_whole_rows, float>,
                               draw::uniform, graphs, {{1, 128}, {4, 64}, {1, 132}, {1, 604}});
}

TEST_CASE("tiles on a device: rows of 16-bit numbers", "[mapping][gpu]") {
  skip_without_cuda_device();
  check_tiles<bfloat16_sum_in_tiles>(run_on_device<bfloat16_sum_in_tiles, float>, mapping_graphs());
}

TEST_CASE("tiles on a device: 64-bit offsets and edge ids", "[mapping][gpu]") {
  skip_without_cuda_device();
  for (bool const wide_offsets : {false, true}) {
    check_tiles<max_in_tiles>(run_on_device<max_in_tiles, float>, mapping_graphs(), wide_offsets);
  }
}
