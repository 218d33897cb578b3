#include <edgewise/pass/fixed_sum.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "support/catch.hpp"

#include "support/random.hpp"

using namespace edgewise::detail;
using edgewise::testing::random_stream;

namespace {

constexpr float infinite = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

float sum_of(std::vector<float> const& terms) {
  std::uint32_t largest = 0;
  for (float x : terms) largest = std::max(largest, finite_magnitude(x));
  int const exponent = fixed_exponent(largest, bits_of_count(static_cast<long long>(terms.size())));
  fixed_word word = 0;
  for (float x : terms) add_fixed(&word, x, exponent);
  return fixed_value(word, exponent);
}

}  // namespace

TEST_CASE("fixed sums: one number comes back as it is, whatever its size", "[pass]") {
  for (float const x : {1.0f, -1.5f, 0.0f, std::numeric_limits<float>::max(), std::numeric_limits<float>::lowest(),
                        std::numeric_limits<float>::min(), std::numeric_limits<float>::denorm_min(), 1e-30f, -3e38f}) {
    CHECK(sum_of({x}) == x);
  }
}

TEST_CASE("fixed sums: do not depend on the order, and are closer than float sums", "[pass]") {
  random_stream random("fixed sums");
  for (int const count : {2, 3, 1000, 100000}) {
    std::vector<float> terms;
    double expected = 0, magnitudes = 0;
    for (int i = 0; i < count; ++i) {
      terms.push_back(static_cast<float>(random.uniform(-1, 1) * std::pow(2.0, -random.below(12))));
      expected += static_cast<double>(terms.back());
      magnitudes += std::abs(static_cast<double>(terms.back()));
    }
    float const sum = sum_of(terms);
    CHECK(std::abs(static_cast<double>(sum) - expected) <= 0x1p-24 * std::abs(expected) + 1e-15 * magnitudes);
    std::reverse(terms.begin(), terms.end());
    CHECK(sum_of(terms) == sum);
    std::sort(terms.begin(), terms.end());
    CHECK(sum_of(terms) == sum);
  }
}

TEST_CASE("fixed sums: a term is the nearest number of steps", "[pass]") {
  auto const steps = [](float x, int exponent) {
    return static_cast<long long>(fixed_term(x, exponent)) >> fixed_flag_bits;
  };
  CHECK(steps(1.75f, 0) == 2);
  CHECK(steps(1.25f, 0) == 1);
  CHECK(steps(-1.75f, 0) == -2);
  CHECK(steps(-1.25f, 0) == -1);
  CHECK(steps(0.75f, 0) == 1);
  CHECK(steps(0.25f, 0) == 0);
  CHECK(steps(3 * 0x1p-20f, 19) == 2);
}

TEST_CASE("fixed sums: the largest count of the largest terms does not overflow", "[pass]") {
  float const largest = std::nextafter(2.0f, 0.0f);
  int const count_bits = 22;
  int const exponent = fixed_exponent(finite_magnitude(largest), count_bits);
  fixed_word word = 0;
  for (long long i = 0; i < (1LL << count_bits); ++i) add_fixed(&word, -largest, exponent);
  CHECK(fixed_value(word, exponent) == -largest * 0x1p22f);
}

TEST_CASE("fixed sums: the error is at most half a step a term", "[pass]") {
  int const count_bits = 10;
  int const exponent = fixed_exponent(finite_magnitude(1.0f), count_bits);
  float const tiny = 0x1p-60f;  // less than a step beside 1
  fixed_word word = 0;
  add_fixed(&word, 1.0f, exponent);
  for (int i = 0; i < 1000; ++i) add_fixed(&word, tiny, exponent);
  CHECK(std::abs(static_cast<double>(fixed_value(word, exponent)) - (1.0 + 1000 * 0x1p-60)) <=
        1001 * 0.5 * std::ldexp(1.0, -exponent) + 0x1p-24);
  float const exact = 0x1p-26f;  // held exactly
  word = 0;
  for (int i = 0; i < 1000; ++i) add_fixed(&word, exact, exponent);
  CHECK(fixed_value(word, exponent) == 1000 * exact);
}

TEST_CASE("fixed sums: infinities and NaN", "[pass]") {
  CHECK(sum_of({1, infinite, 2}) == infinite);
  CHECK(sum_of({1, -infinite, 2}) == -infinite);
  CHECK(sum_of({infinite, infinite, infinite, infinite, infinite}) == infinite);
  CHECK(std::isnan(sum_of({1, infinite, -infinite})));
  CHECK(std::isnan(sum_of({1, not_a_number, 2})));
  CHECK(std::isnan(sum_of({infinite, not_a_number})));
  CHECK(sum_of({std::numeric_limits<float>::max(), std::numeric_limits<float>::max()}) == infinite);
}
