#include "operation_check.hpp"

#include <edgewise/expression/activation.hpp>
#include <edgewise/expression/leaf.hpp>

#include <cmath>
#include <limits>

#include "support/catch.hpp"

namespace ew = edgewise;
using ew::testing::check_kink;
using ew::testing::check_smooth;

namespace {
// Slopes are exact in float: an operation in dual numbers converts them from float.
constexpr ew::operation::leaky_relu leaky{0.125};
constexpr ew::operation::elu elu{0.75};
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
}  // namespace

TEST_CASE("activation: smooth functions have the right values and derivatives", "[expression]") {
  double const x = GENERATE(-4.0, -1.3, -0.1, 0.2, 1.0, 3.7);
  check_smooth(ew::operation::exp{}, std::exp(x), x);
  check_smooth(ew::operation::tanh{}, std::tanh(x), x);
  check_smooth(ew::operation::sigmoid{}, 1 / (1 + std::exp(-x)), x);
  check_smooth(ew::operation::square{}, x * x, x);
  check_smooth(ew::operation::abs{}, std::fabs(x), x);
  check_smooth(ew::operation::relu{}, std::fmax(x, 0), x);
  check_smooth(leaky, x > 0 ? x : 0.125 * x, x);
  check_smooth(elu, x > 0 ? x : 0.75 * std::expm1(x), x);
}

TEST_CASE("activation: log and sqrt of positive numbers", "[expression]") {
  double const x = GENERATE(0.2, 0.9, 1.0, 2.5, 40.0);
  check_smooth(ew::operation::log{}, std::log(x), x);
  check_smooth(ew::operation::sqrt{}, std::sqrt(x), x);
}

TEST_CASE("activation: maximum and minimum away from ties", "[expression]") {
  double const a = GENERATE(-2.0, 0.5, 3.0);
  double const b = GENERATE(-2.5, 0.75, 2.0);
  check_smooth(ew::operation::maximum{}, std::fmax(a, b), a, b);
  check_smooth(ew::operation::minimum{}, std::fmin(a, b), a, b);
}

TEST_CASE("activation: the derivative at a kink is the documented one", "[expression]") {
  check_kink(ew::operation::relu{}, 0, 0.0);
  CHECK(ew::operation::relu{}.pull<0>(2.0, 0.0, 0.0) == 0);
  check_kink(leaky, 0, 0.0);
  CHECK(leaky.pull<0>(2.0, 0.0, 0.0) == 0.25);
  check_kink(elu, 0, 0.0);
  CHECK(elu.pull<0>(2.0, 0.0, 0.0) == 1.5);
  check_kink(ew::operation::abs{}, 0, 0.0);
  CHECK(ew::operation::abs{}.pull<0>(2.0, 0.0, 0.0) == 0);
}

TEST_CASE("activation: ties of maximum and minimum give the whole adjoint to the first", "[expression]") {
  check_kink(ew::operation::maximum{}, 1.5, 1.5, 1.5);
  CHECK(ew::operation::maximum{}.pull<0>(2.0, 1.5, 1.5, 1.5) == 2);
  CHECK(ew::operation::maximum{}.pull<1>(2.0, 1.5, 1.5, 1.5) == 0);
  check_kink(ew::operation::minimum{}, 1.5, 1.5, 1.5);
  CHECK(ew::operation::minimum{}.pull<0>(2.0, 1.5, 1.5, 1.5) == 2);
  CHECK(ew::operation::minimum{}.pull<1>(2.0, 1.5, 1.5, 1.5) == 0);
}

TEST_CASE("activation: a selected-out adjoint is 0, even an infinite one", "[expression]") {
  CHECK(ew::operation::relu{}.pull<0>(infinity, 0.0, -1.0) == 0);
  CHECK(ew::operation::maximum{}.pull<0>(infinity, 2.0, 1.0, 2.0) == 0);
  CHECK(ew::operation::minimum{}.pull<1>(infinity, 1.0, 1.0, 2.0) == 0);
}

TEST_CASE("activation: NaN passes", "[expression]") {
  CHECK(std::isnan(ew::operation::relu{}.value(not_a_number)));
  CHECK(std::isnan(ew::operation::abs{}.value(not_a_number)));
  CHECK(std::isnan(leaky.value(not_a_number)));
  CHECK(std::isnan(elu.value(not_a_number)));
  CHECK(std::isnan(ew::operation::maximum{}.value(not_a_number, 1.0)));
  CHECK(std::isnan(ew::operation::maximum{}.value(1.0, not_a_number)));
  CHECK(std::isnan(ew::operation::minimum{}.value(not_a_number, 1.0)));
  CHECK(std::isnan(ew::operation::minimum{}.value(1.0, not_a_number)));
}

TEST_CASE("activation: saturated functions stay finite", "[expression]") {
  CHECK(ew::operation::sigmoid{}.value(-800.0) == 0);
  CHECK(ew::operation::sigmoid{}.pull<0>(1.0, 0.0, -800.0) == 0);
  CHECK(ew::operation::sigmoid{}.value(800.0) == 1);
  CHECK(ew::operation::tanh{}.value(-800.0f) == -1);
  CHECK(elu.value(-800.0) == -0.75);
}

TEST_CASE("activation: a slope of leaky_relu is not negative", "[expression]") {
  struct h;
  CHECK_NOTHROW(ew::leaky_relu(ew::src<h>, 0.0));
  CHECK_THROWS_AS(ew::leaky_relu(ew::src<h>, -0.5), ew::invalid_argument);
  CHECK_THROWS_WITH(ew::leaky_relu(ew::src<h>, -0.5), "leaky_relu: slope = -0.5 is negative");
}

TEST_CASE("activation: leaky_relu's derivative by the result is that by the argument", "[expression]") {
  for (double const slope : {0.0, 0.2, 1.0, 3.0}) {
    ew::operation::leaky_relu const f{{slope}};
    for (double const x : {-2.0, -0.0, 0.0, 1e-300, 4.0}) {
      INFO("slope " << slope << ", x " << x);
      CHECK(f.pull_channels<0>(3.0, f.value(x), x) == f.pull<0>(3.0, f.value(x), x));
    }
  }
}
