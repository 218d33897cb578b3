#include <edgewise/core/float16.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "support/catch.hpp"

#include "float16_cases.hpp"

namespace edgewise::testing {
namespace {

/// A pattern's value by the definition of the format: Exponent bits, Fraction bits, Bias.
double value_by_definition(std::uint16_t pattern, int fraction_bits, int bias) {
  int const exponent_bits = 15 - fraction_bits;
  int const exponent = (pattern >> fraction_bits) & ((1 << exponent_bits) - 1);
  double const fraction = (pattern & ((1 << fraction_bits) - 1)) / static_cast<double>(1 << fraction_bits);
  double const sign = pattern >> 15 ? -1 : 1;
  if (exponent == (1 << exponent_bits) - 1) {
    return fraction == 0 ? sign * std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  }
  return sign * (exponent == 0 ? std::ldexp(fraction, 1 - bias) : std::ldexp(1 + fraction, exponent - bias));
}
double value_of(bfloat16 x) { return value_by_definition(x.bits, 7, 127); }
double value_of(float16 x) { return value_by_definition(x.bits, 10, 15); }

template <class T>
T of_pattern(int pattern) {
  T x;
  x.bits = static_cast<std::uint16_t>(pattern);
  return x;
}

TEMPLATE_TEST_CASE("16-bit storage types: every pattern has its value and comes back", "[core]", bfloat16, float16) {
  static_assert(sizeof(TestType) == 2 && alignof(TestType) == 2 && std::is_trivially_copyable_v<TestType> &&
                std::is_trivially_default_constructible_v<TestType>);
  int wrong = 0;
  for (int pattern = 0; pattern < 65536; ++pattern) {
    TestType const x = of_pattern<TestType>(pattern);
    double const expected = value_of(x);
    auto const actual = static_cast<float>(x);
    TestType const back(actual);
    if (std::isnan(expected)) {
      wrong += !(std::isnan(actual) && std::isnan(value_of(back)) && std::signbit(actual) == (pattern >> 15 != 0));
    } else {
      wrong += !(actual == expected && std::signbit(actual) == std::signbit(expected) && back.bits == x.bits);
    }
  }
  CHECK(wrong == 0);
}

TEMPLATE_TEST_CASE("16-bit storage types: floats between two numbers go to the nearest, ties to even", "[core]",
                   bfloat16, float16) {
  double const infinity = std::numeric_limits<double>::infinity();
  int wrong = 0;
  for (int pattern = 0; std::isfinite(value_of(of_pattern<TestType>(pattern))); ++pattern) {
    double const low = value_of(of_pattern<TestType>(pattern));
    double high = value_of(of_pattern<TestType>(pattern + 1));
    if (high == infinity) high = low + (low - value_of(of_pattern<TestType>(pattern - 1)));  // where inf begins
    double const middle = low + (high - low) / 2;
    auto const tie = static_cast<float>(middle);
    int const even = pattern % 2 == 0 ? pattern : pattern + 1;
    wrong += static_cast<double>(tie) != middle;  // the test itself: floats hold all ties
    wrong += TestType(tie).bits != even;
    wrong += TestType(-tie).bits != (even | 0x8000);
    wrong += TestType(std::nextafter(tie, 0.0f)).bits != pattern;
    wrong += TestType(std::nextafter(tie, HUGE_VALF)).bits != pattern + 1;
  }
  CHECK(wrong == 0);
}

TEST_CASE("16-bit storage types: what lies beyond their numbers", "[core]") {
  CHECK(static_cast<float>(float16(65519.0f)) == 65504);
  CHECK(float16(65520.0f).bits == 0x7c00);
  CHECK(float16(-1e30f).bits == 0xfc00);
  CHECK(float16(0x1p-25f).bits == 0);  // a tie with 0
  CHECK(float16(0x1.000002p-25f).bits == 1);
  CHECK(float16(-0.0f).bits == 0x8000);
  CHECK(bfloat16(std::numeric_limits<float>::max()).bits == 0x7f80);
  CHECK(bfloat16(std::numeric_limits<float>::denorm_min()).bits == 0);
  for (float x : special_floats()) {
    if (std::isnan(x)) {
      CHECK(std::isnan(static_cast<float>(bfloat16(x))));
      CHECK(std::isnan(static_cast<float>(float16(x))));
    }
  }
}

TEMPLATE_TEST_CASE("16-bit storage types: a pair is two numbers, the first in the lower half", "[core]", bfloat16,
                   float16) {
  std::uint32_t const word = edgewise::detail::pack_pair<TestType>(1.0f, -2.5f);
  CHECK((word & 0xffff) == TestType(1.0f).bits);
  CHECK((word >> 16) == TestType(-2.5f).bits);
}

}  // namespace
}  // namespace edgewise::testing
