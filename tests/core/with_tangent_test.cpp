// Numbers with tangents: every choice is that of the values, and a slope that is infinite meets no tangent of 0.
#include <edgewise/core/with_tangent.hpp>

#include <limits>

#include "support/catch.hpp"

#include <edgewise/expression/activation.hpp>
#include <edgewise/expression/functions.hpp>

namespace ew = edgewise;
using number = ew::with_tangent<double>;

namespace {

bool is(number x, double value, double tangent) { return x.value == value && x.tangent == tangent; }

}  // namespace

TEST_CASE("tangents: comparisons look at the values alone", "[core]") {
  CHECK(number(1, 2) == number(1, 3));
  CHECK_FALSE(number(1, 2) != number(1, 3));
  CHECK(number(1, 2) <= number(1, 0));
  CHECK(number(1, 2) != number(2, 2));
}

TEST_CASE("tangents: on a tie the first number is taken, as its gradient goes there", "[core]") {
  CHECK(is(ew::maximum(number(3, 1), number(3, 2)), 3, 1));
  CHECK(is(ew::minimum(number(3, 1), number(3, 2)), 3, 1));
  CHECK(is(ew::maximum(number(3, 1), number(4, 2)), 4, 2));
  CHECK(is(ew::minimum(number(3, 1), number(2, 2)), 2, 2));
}

TEST_CASE("tangents: operations that choose", "[core]") {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(is(ew::operation::where{}.value(number(0, 1), number(10, 5), number(20, 6)), 20, 6));
  CHECK(is(ew::operation::where{}.value(number(1, 0), number(10, 5), number(20, 6)), 10, 5));
  CHECK(is(ew::operation::relu{}.value(number(-1, nan)), 0, 0));
}

TEST_CASE("tangents: where the slope is infinite, a tangent of 0 stays", "[core]") {
  double const infinity = std::numeric_limits<double>::infinity();
  CHECK(is(ew::log(number(0, 0)), -infinity, 0));
  CHECK(is(ew::sqrt(number(0, 0)), 0, 0));
  CHECK(is(ew::log1p(number(-1, 0)), -infinity, 0));
  CHECK(is(ew::pow(number(0, 1), number(0)), 1, 0));
}
