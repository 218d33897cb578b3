// Sums over all edges of a graph of so many rows that blocks take it in waves.
#include "support/catch.hpp"

#include "many_rows_device.hpp"
#include "support/device.hpp"

namespace edgewise::testing {

// Small integers, so that sums in any order are exact.
TEST_CASE("gradients of a parameter over many rows count every edge once", "[gpu]") {
  skip_without_cuda_device();
  many_rows const rows;
  std::vector<double> expected(many_rows::channels);
  for (std::size_t e = 0; e < rows.sources.size(); ++e) {
    for (int c = 0; c < many_rows::channels; ++c) {
      expected[static_cast<std::size_t>(c)] +=
          static_cast<double>(many_rows::value(rows.destinations[e], c)) * many_rows::value(rows.sources[e], c);
    }
  }
  auto const gradient = parameter_gradient_on_device(rows);
  REQUIRE(gradient.size() == expected.size());
  for (std::size_t c = 0; c < expected.size(); ++c) {
    INFO("channel " << c);
    CHECK(static_cast<double>(gradient[c]) == expected[c]);
  }
}

}  // namespace edgewise::testing
