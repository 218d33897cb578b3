#include "models/initialize.hpp"

#include <cmath>
#include <vector>

#include "support/catch.hpp"

#include "host_matrix.hpp"

namespace edgewise::models {
namespace {

std::vector<float> drawn(std::uint64_t seed, std::uint32_t layer) {
  testing::host_context const context;
  auto w = testing::make_host_matrix<float>(context, 200, 100, std::vector<float>(20000, NAN));
  glorot_uniform(context, {seed, 0}, layer, w.view());
  return testing::elements_of(w.view());
}

TEST_CASE("Glorot weights fill their interval with the right variance") {
  double const bound = std::sqrt(6.0 / 300);
  double sum = 0, squares = 0, smallest = 1, largest = -1;
  auto const w = drawn(0, 0);
  for (float x : w) {
    REQUIRE(std::abs(x) <= bound);
    sum += x;
    squares += static_cast<double>(x) * x;
    smallest = std::fmin(smallest, x);
    largest = std::fmax(largest, x);
  }
  double const variance = 2.0 / 300;  // bound^2 / 3
  CHECK(sum / 20000 == Approx(0).margin(5 * std::sqrt(variance / 20000)));
  CHECK(squares / 20000 == Approx(variance).epsilon(0.05));
  CHECK(smallest < -0.99 * bound);
  CHECK(largest > 0.99 * bound);
}

TEST_CASE("Glorot weights depend on seed and layer alone") {
  CHECK(drawn(1, 0) == drawn(1, 0));
  CHECK(drawn(1, 0) != drawn(2, 0));
  CHECK(drawn(1, 0) != drawn(1, 1));
}

}  // namespace
}  // namespace edgewise::models
