#include "functor_device.hpp"

#include <cmath>

#include "support/catch.hpp"

#include "../support/device.hpp"
#include "../support/random.hpp"

namespace {

using namespace edgewise::testing;

/// Formulas in float64 against what the device computed in T, with errors relative to numbers of about 1.
template <class T>
void check_functors(double tolerance) {
  skip_without_cuda_device();
  random_stream random{"functors"};
  std::size_t const size = 1000;
  auto const a = uniform_values<T>(size, random), b = uniform_values<T>(size, random),
             c = uniform_values<T>(size, random);
  auto const found = run_functors(a, b, c);
  REQUIRE(found.value.size() == size);
  for (std::size_t i = 0; i < size; ++i) {
    double const x = a[i], y = b[i], z = c[i];
    double const value = std::tanh(x * y + z), slope = 2 * (1 - value * value);
    INFO("element " << i << ": a = " << x << ", b = " << y << ", c = " << z);
    auto const near = [&](T actual, double expected) {
      return std::abs(static_cast<double>(actual) - expected) <= tolerance;
    };
    CHECK(near(found.value[i], value));
    CHECK(near(found.pull_a[i], slope * y));
    CHECK(near(found.pull_b[i], slope * x));
    CHECK(near(found.pull_c[i], slope));
    CHECK(near(found.basis[i], std::exp(-0.5 * (x - 0.25) * (x - 0.25))));
    CHECK(near(found.interpolated[i], x + std::pow(std::abs(z), 1.5) * (y - x)));
    CHECK(near(found.own_pull[i], 4 * x * y));
  }
}

}  // namespace

TEST_CASE("functor on the device: values and derivatives in float", "[expression]") { check_functors<float>(2e-6); }

TEST_CASE("functor on the device: values and derivatives in double", "[expression]") { check_functors<double>(1e-14); }
