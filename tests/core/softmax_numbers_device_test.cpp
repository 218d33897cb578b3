// The reciprocal of a softmax's sum of weights, from 1 to the number of edges.
#include "softmax_numbers_device_test.hpp"

#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/device.hpp"

namespace edgewise::testing {
namespace {

TEST_CASE("softmax on a device: the reciprocal of its sum of weights", "[core][gpu]") {
  skip_without_cuda_device();
  float const nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> weights{1, 2, 0x1p31f, std::nextafter(1.0f, 2.0f), std::nextafter(2.0f, 1.0f), nan};
  for (double w = 1; w < 0x1p32; w *= 1.0001) weights.push_back(static_cast<float>(w));
  auto const found = softmax_numbers_on_device(weights);
  CHECK(found.reciprocals.at(0) == 1);  // the edge of a row of one has weight 1
  CHECK(std::isnan(found.reciprocals.at(5)));
  double worst_reciprocal = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (std::isnan(weights[i])) continue;
    double const share = found.reciprocals[i] * static_cast<double>(weights[i]) - 1;
    worst_reciprocal = std::max(worst_reciprocal, std::fabs(share) / 0x1p-23);
  }
  CHECK(worst_reciprocal <= 1);
}

}  // namespace
}  // namespace edgewise::testing
