#include <algorithm>
#include <cmath>
#include <cstdint>
#include <edgewise/core/elementary.hpp>
#include <limits>

#include "support/catch.hpp"

namespace {

using edgewise::detail::bits_of_float;
using edgewise::detail::exp_of_channel;
using edgewise::detail::float_of_bits;
using edgewise::detail::log_of_channel;
using edgewise::detail::tanh_of_channel;

double ulp_at(float x) {
  double const size = std::abs(double{x});
  if (size < 0x1p-126) return 0x1p-149;
  int exponent = 0;
  std::frexp(size, &exponent);
  return std::ldexp(1.0, exponent - 24);
}

// The error in ulp; infinite where one of the two is no number, or infinite, and the other differs.
double error_in_ulp(float actual, double exact) {
  auto const rounded = static_cast<float>(exact);
  if (std::isnan(rounded)) return std::isnan(actual) ? 0 : HUGE_VAL;
  if (std::isinf(rounded) || std::isinf(actual)) return actual == rounded ? 0 : HUGE_VAL;
  return std::abs(actual - exact) / ulp_at(rounded);
}

struct worst_errors {
  double exp = 0, log = 0, tanh = 0;
};

// Every `step`-th bit pattern: all exponents, both signs, infinities' and NaNs' neighborhoods.
worst_errors worst_over_all(std::uint64_t step) {
  worst_errors worst;
  for (std::uint64_t bits = 0; bits <= 0xffffffffu; bits += step) {
    float const x = float_of_bits(static_cast<std::uint32_t>(bits));
    worst.exp = std::max(worst.exp, error_in_ulp(exp_of_channel(x), std::exp(double{x})));
    worst.log = std::max(worst.log, error_in_ulp(log_of_channel(x), std::log(double{x})));
    worst.tanh = std::max(worst.tanh, error_in_ulp(tanh_of_channel(x), std::tanh(double{x})));
  }
  return worst;
}

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float denormal = std::numeric_limits<float>::denorm_min();
constexpr float largest = std::numeric_limits<float>::max();

}  // namespace

TEST_CASE("exp, log and tanh of float are within their ulps everywhere") {
  worst_errors const worst = worst_over_all(4099);  // a prime: low bits vary too
  CHECK(worst.exp <= 1);
  CHECK(worst.log <= 1);
  CHECK(worst.tanh <= 2);
}

TEST_CASE("exp of float at its edges") {
  CHECK(exp_of_channel(0.0f) == 1.0f);
  CHECK(exp_of_channel(-0.0f) == 1.0f);
  CHECK(exp_of_channel(infinity) == infinity);
  CHECK(exp_of_channel(-infinity) == 0.0f);
  CHECK(exp_of_channel(largest) == infinity);
  CHECK(exp_of_channel(-largest) == 0.0f);
  CHECK(std::isnan(exp_of_channel(not_a_number)));
  CHECK(error_in_ulp(exp_of_channel(0x1.62e42ep6f), std::exp(double{0x1.62e42ep6f})) <= 1);  // the last finite one
  CHECK(exp_of_channel(0x1.62e430p6f) == infinity);
  for (float x = -88.0f; x > -105.0f; x -= 0.01f) CHECK(error_in_ulp(exp_of_channel(x), std::exp(double{x})) <= 1);
}

TEST_CASE("log of float at its edges") {
  CHECK(log_of_channel(1.0f) == 0.0f);
  CHECK(log_of_channel(0.0f) == -infinity);
  CHECK(log_of_channel(-0.0f) == -infinity);
  CHECK(log_of_channel(infinity) == infinity);
  CHECK(std::isnan(log_of_channel(-denormal)));
  CHECK(std::isnan(log_of_channel(-infinity)));
  CHECK(std::isnan(log_of_channel(not_a_number)));
  for (float x : {denormal, 3 * denormal, 0x1p-127f, 0x1p-126f, largest}) {
    CHECK(error_in_ulp(log_of_channel(x), std::log(double{x})) <= 1);
  }
}

TEST_CASE("tanh of float at its edges") {
  CHECK(tanh_of_channel(infinity) == 1.0f);
  CHECK(tanh_of_channel(-infinity) == -1.0f);
  CHECK(tanh_of_channel(largest) == 1.0f);
  CHECK(tanh_of_channel(denormal) == denormal);
  CHECK(bits_of_float(tanh_of_channel(-0.0f)) == 0x80000000u);
  CHECK(bits_of_float(tanh_of_channel(0.0f)) == 0u);
  CHECK(std::isnan(tanh_of_channel(not_a_number)));
  for (float x : {0.1f, 0.6249999f, 0.625f, 1.0f, 9.0f, 9.1f}) CHECK(tanh_of_channel(-x) == -tanh_of_channel(x));
}
