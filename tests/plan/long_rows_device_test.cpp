// Long rows on a device: errors that do not grow with the number of edges.
#include "long_rows.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"

using namespace edgewise::testing;

TEST_CASE("long rows on a device: 10^7 equal terms by every mapping, all within 1e-5", "[plan][gpu]") {
  skip_without_cuda_device();
  for (int const channels : {1, 3, 64, 256, 600}) {
    for (auto const& found : long_rows_on_device(channels)) {
      INFO(found.of << ", " << channels << " channels");
      CHECK(found.error < most_long_row_error);
    }
  }
}
