#include <edgewise/expression/dual.hpp>

#include <limits>
#include <type_traits>

#include "support/catch.hpp"

namespace ew = edgewise;
using ew::dual;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr dual<double> x(3.0, 2.0);
constexpr dual<double> y(-0.5, 1.0);

constexpr bool is(dual<double> number, double value, double derivative) {
  return number.value == value && number.derivative == derivative;
}

}  // namespace

static_assert(std::is_trivially_copyable_v<dual<float>>);
static_assert(std::is_same_v<decltype(2.0 * dual<float>()), dual<float>>);
static_assert(!std::is_convertible_v<dual<float>, float>, "a derivative must not get lost silently");
static_assert(!std::is_convertible_v<dual<float>, dual<double>>);

TEST_CASE("dual: arithmetic carries the derivative", "[expression]") {
  CHECK(is(x + y, 2.5, 3));
  CHECK(is(x - y, 3.5, 1));
  CHECK(is(x * y, -1.5, 3 * 1 + 2 * -0.5));
  CHECK(is(x / y, -6, (2 * -0.5 - 3 * 1) / 0.25));
  CHECK(is(-x, -3, -2));
  CHECK(is(+x, 3, 2));
}

TEST_CASE("dual: plain numbers of any type are constants on either side", "[expression]") {
  CHECK(is(2.0f * x, 6, 4));
  CHECK(is(x * 2, 6, 4));
  CHECK(is(x + 1, 4, 2));
  CHECK(is(1 - x, -2, -2));
  CHECK(is(x / 2l, 1.5, 1));
  CHECK(is(6 / x, 2, -6.0 * 2 / 9));
  CHECK(is(x > 0 ? x : 0, 3, 2));
  CHECK(is(y > 0 ? y : 0, 0, 0));
}

TEST_CASE("dual: assignments", "[expression]") {
  dual<double> z = 1;
  z += x;
  CHECK(is(z, 4, 2));
  z *= 2;
  CHECK(is(z, 8, 4));
  z -= 3;
  CHECK(is(z, 5, 4));
  z /= 4;
  CHECK(is(z, 1.25, 1));
}

TEST_CASE("dual: comparisons look at the value alone", "[expression]") {
  CHECK(x == dual<double>(3, -7));
  CHECK(x != 4);
  CHECK(y < 0);
  CHECK(0.5f > y);
  CHECK(x >= 3);
  CHECK(x <= 3.0f);
  CHECK_FALSE(x < y);
  dual<double> const nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(nan != nan);
}

TEST_CASE("dual: what does not depend on the argument has derivative 0 whatever the slope", "[expression]") {
  dual<double> const zero(0.0, 0.0), huge(infinity, 0.0);
  CHECK(ew::sqrt(zero).derivative == 0);
  CHECK(ew::log(zero).derivative == 0);
  CHECK((x * huge).derivative == infinity);
  CHECK((zero / zero).derivative == 0);
  CHECK(ew::exp(dual<double>(1000.0, 0.0)).derivative == 0);
  CHECK(ew::sqrt(dual<double>(0.0, 1.0)).derivative == infinity);
  dual<double> const root(0.0, 1.0);
  CHECK((root > 0 ? ew::sqrt(root) : dual<double>(0)).derivative == 0);
  CHECK_FALSE((root > 0 ? ew::sqrt(root) : dual<double>(0)).depends);
  double const at_zero = ew::sqrt(root * root).derivative;  // as of the operations: it depends, and 0 meets infinity
  CHECK(at_zero != at_zero);
}

TEST_CASE("dual: derivatives at kinks are those of the operations", "[expression]") {
  CHECK(is(ew::abs(dual<double>(0.0, 2.0)), 0, 0));
  CHECK(is(ew::abs(y), 0.5, -1));
  dual<double> const tie(3.0, 5.0);
  CHECK(is(ew::maximum(x, tie), 3, 2));
  CHECK(is(ew::maximum(tie, x), 3, 5));
  CHECK(is(ew::minimum(x, tie), 3, 2));
  CHECK(is(ew::maximum(y, 0), 0, 0));
  CHECK(is(ew::maximum(0.0f, x), 3, 2));
  CHECK(is(ew::minimum(y, 0), -0.5, 1));
}
