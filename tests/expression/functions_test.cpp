#include "operation_check.hpp"

#include <edgewise/expression/functions.hpp>
#include <edgewise/expression/leaf.hpp>

#include <cmath>
#include <limits>
#include <type_traits>

#include "support/catch.hpp"

namespace ew = edgewise;
using ew::testing::check_kink;
using ew::testing::check_smooth;

namespace {

struct a;
struct b;
constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("functions: smooth ones have the right values and derivatives", "[expression]") {
  double const x = GENERATE(-4.0, -1.3, -0.1, 0.0, 0.2, 1.0, 3.7);
  check_smooth(ew::operation::silu{}, x / (1 + std::exp(-x)), x);
  check_smooth(ew::operation::softplus{}, std::log1p(std::exp(x)), x);
  check_smooth(ew::operation::gelu{}, 0.5 * x * (1 + std::erf(x / std::sqrt(2.0))), x);
  check_smooth(ew::operation::sin{}, std::sin(x), x);
  check_smooth(ew::operation::cos{}, std::cos(x), x);
  if (x != 0) check_smooth(ew::operation::pow{3}, x * x * x, x);
}

TEST_CASE("functions: powers of positive numbers, and x^0", "[expression]") {
  double const x = GENERATE(0.2, 0.9, 1.0, 2.5);
  check_smooth(ew::operation::pow{2.5}, std::pow(x, 2.5), x);
  check_smooth(ew::operation::pow{-1}, 1 / x, x);
  CHECK(ew::operation::pow{0}.value(x) == 1);
  CHECK(ew::operation::pow{0}.pull<0>(2.0, 1.0, 0.0) == 0);
}

TEST_CASE("functions: activations far from 0", "[expression]") {
  CHECK(ew::operation::softplus{}.value(1000.0f) == 1000);
  CHECK(ew::operation::softplus{}.value(-1000.0f) == 0);
  CHECK(ew::operation::softplus{}.value(0.0) == Approx(std::log(2.0)));
  CHECK(ew::operation::softplus{}.pull<0>(2.0f, 0.0f, -1000.0f) == 0);
  CHECK(ew::operation::silu{}.value(-1000.0f) == 0);
  CHECK(ew::operation::silu{}.pull<0>(2.0f, 0.0f, 1000.0f) == 2);
  CHECK(ew::operation::gelu{}.value(-1000.0f) == 0);
  CHECK(ew::operation::gelu{}.value(-5.5f) == Approx(-5.5 * 0.5 * std::erfc(5.5 / std::sqrt(2.0))).epsilon(1e-5));
  CHECK(ew::operation::gelu{}.value(1000.0f) == 1000);
  double const nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(std::isnan(ew::operation::silu{}.value(nan)));
  CHECK(std::isnan(ew::operation::softplus{}.value(nan)));
  CHECK(std::isnan(ew::operation::gelu{}.value(nan)));
}

TEST_CASE("functions: comparisons are 1 or 0, and have no gradient", "[expression]") {
  check_smooth(ew::operation::less{}, 1, 1.0, 2.0);
  check_smooth(ew::operation::less{}, 0, 2.0, 1.0);
  check_kink(ew::operation::less{}, 0, 1.5, 1.5);
  check_smooth(ew::operation::less_equal{}, 1, 1.0, 2.0);
  check_smooth(ew::operation::less_equal{}, 0, 2.0, 1.0);
  check_kink(ew::operation::less_equal{}, 1, 1.5, 1.5);
  CHECK(ew::operation::less{}.value(std::nan(""), 1.0) == 0);
}

TEST_CASE("functions: where hands the adjoint to what it chose", "[expression]") {
  check_smooth(ew::operation::where{}, 3, 1.0, 3.0, 5.0);
  check_kink(ew::operation::where{}, 5, 0.0, 3.0, 5.0);
  CHECK(ew::operation::where{}.pull<1>(infinity, 5.0, 0.0, 3.0, 5.0) == 0);
  CHECK(ew::operation::where{}.pull<2>(infinity, 3.0, 1.0, 3.0, 5.0) == 0);
  CHECK(ew::operation::where{}.value(1.0, 2.0, std::nan("")) == 2);
}

TEST_CASE("functions: operators make the comparison that is written", "[expression]") {
  using less = ew::operation::less;
  using less_equal = ew::operation::less_equal;
  auto const x = ew::src<a>;
  auto const y = ew::dst<b>;
  CHECK(std::is_same_v<decltype(x < y), decltype(ew::detail::make_node(less{}, x, y))>);
  CHECK(std::is_same_v<decltype(x > y), decltype(ew::detail::make_node(less{}, y, x))>);
  CHECK(std::is_same_v<decltype(x <= y), decltype(ew::detail::make_node(less_equal{}, x, y))>);
  CHECK(std::is_same_v<decltype(x >= 0.5), decltype(ew::detail::make_node(less_equal{}, 0.5, x))>);
}

TEST_CASE("functions: clamp refuses an empty range", "[expression]") {
  CHECK_THROWS_WITH(ew::clamp(ew::src<a>, 1.0, 0.0), "clamp: low = 1 is not at most high = 0");
  CHECK_NOTHROW(ew::clamp(ew::src<a>, 1.0, 1.0));
}
