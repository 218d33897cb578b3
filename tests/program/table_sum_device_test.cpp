#include "support/device.hpp"
#include "table_check.hpp"
#include "table_device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEST_CASE("table on a device: every operand and operation under sum, both passes", "[program][gpu]") {
  skip_without_cuda_device();
  check_table<sum>([](auto, int position, run_request<double> const& request) {
    return run_cell_on_device<sum>(position, request);
  });
}
