#include "tolerance.hpp"

#include <cstdint>
#include <cstring>
#include <limits>
#include <sstream>
#include <utility>

#include "support/catch.hpp"

#include "guarded_output.hpp"
#include "random.hpp"

namespace {

using namespace edgewise::testing;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

/// Truncates a float to its upper 16 bits after rounding half up: a storage type that tests own.
struct brain16 {
  std::uint16_t bits = 0;
  brain16() = default;
  explicit brain16(float x) {
    std::uint32_t word;
    std::memcpy(&word, &x, sizeof word);
    if (x == x) word += 0x7fff + ((word >> 16) & 1);
    bits = static_cast<std::uint16_t>(word >> 16);
  }
  explicit operator float() const {
    std::uint32_t const word = std::uint32_t{bits} << 16;
    float x;
    std::memcpy(&x, &word, sizeof x);
    return x;
  }
};

/// Rows of `num_terms` random numbers, summed in float64.
struct random_sums {
  std::vector<std::vector<float>> terms;
  expected_values expected;

  random_sums(int num_rows, int num_terms) : expected(num_rows, 1) {
    random_stream random("tolerance: random sums");
    for (int row = 0; row < num_rows; ++row) {
      terms.push_back(uniform_values<float>(num_terms, random));
      for (float x : terms.back()) {
        expected.value[row] += x;
        expected.scale[row] += std::abs(x);
      }
      expected.terms[row] = num_terms;
    }
  }

  template <class T>
  std::vector<T> summed_in_float() const {
    std::vector<T> sums;
    for (auto const& row : terms) {
      float sum = 0;
      for (float x : row) sum += x;
      sums.push_back(static_cast<T>(sum));
    }
    return sums;
  }
};

expected_values expect(double value, double scale = 1, double terms = 1) {
  expected_values expected(1, 1);
  expected.value[0] = value;
  expected.scale[0] = scale;
  expected.terms[0] = terms;
  return expected;
}

template <class T>
bool accepts(T actual, expected_values const& expected, tolerance_rule const& rule = {}) {
  return static_cast<bool>(compare(&actual, 1, expected, rule));
}

}  // namespace

TEST_CASE("tolerance: correct roundings pass", "[support]") {
  int const num_terms = GENERATE(1, 2, 33, 1000, 20000);
  random_sums const sums(50, num_terms);
  CHECK(compare(sums.summed_in_float<float>(), sums.expected));
  if (num_terms > 1)
    CHECK_FALSE(compare(sums.summed_in_float<double>(), sums.expected));  // a float sum is no double sum
  CHECK(compare(sums.summed_in_float<brain16>(), sums.expected));
}

TEST_CASE("tolerance: ten tolerances off is flagged, with the place", "[support]") {
  random_sums const sums(50, 100);
  auto actual = sums.summed_in_float<float>();
  double const tolerance = tolerance_of({}, number_format_of<float>(), 100, sums.expected.scale[17]);
  actual[17] += static_cast<float>(10 * tolerance);
  actual[31] -= static_cast<float>(100 * tolerance);
  auto const found = compare(actual, sums.expected);
  CHECK_FALSE(found);
  CHECK(found.num_bad == 2);
  CHECK(found.first_bad == 17);
  CHECK(found.expected == sums.expected.value[17]);
  CHECK(found.actual == double{actual[17]});
  CHECK(found.tolerance == tolerance);
  CHECK(found.worst_ratio > 50);
  std::ostringstream message;
  message << found;
  CHECK_THAT(message.str(), Catch::Contains("2 of 50") && Catch::Contains("[17]"));
}

TEST_CASE("tolerance: a missing edge of a hub is flagged", "[support]") {
  random_sums const sums(20, 5000);
  auto actual = sums.summed_in_float<float>();
  for (int row = 0; row < 20; ++row) actual[row] -= 0.1f;  // most terms are larger
  CHECK(compare(actual, sums.expected).num_bad == 20);
  CHECK(compare(actual, sums.expected, {.growth = error_growth::linear}).num_bad ==
        0);  // why linear is not the default
}

TEST_CASE("tolerance: swapped rows are flagged", "[support]") {
  random_sums const sums(50, 64);
  auto actual = sums.summed_in_float<float>();
  std::swap(actual[3], actual[4]);
  auto const found = compare(actual, sums.expected);
  CHECK(found.num_bad == 2);
  CHECK(found.first_bad == 3);
}

TEST_CASE("tolerance: unwritten poison is flagged in every type", "[support]") {
  random_sums const sums(8, 4);
  guarded_output<float> floats(8);
  guarded_output<double> doubles(8);
  guarded_output<brain16> brains(8);
  tolerance_rule const lenient{.k = 1e30, .nan = nan_policy::match};
  CHECK(compare(floats.values(), sums.expected, lenient).num_bad == 8);
  CHECK(compare(doubles.values(), sums.expected, lenient).num_bad == 8);
  CHECK(compare(brains.values(), sums.expected, lenient).num_bad == 8);
  std::vector<std::int64_t> const arguments{-1, 0, 5};
  CHECK(compare_integers(guarded_output<int>(3).values(), arguments).num_bad == 3);
}

TEST_CASE("tolerance: NaN passes only when expected and asked for", "[support]") {
  auto const not_a_number = std::numeric_limits<float>::quiet_NaN();
  CHECK_FALSE(accepts(not_a_number, expect(1)));
  CHECK_FALSE(accepts(not_a_number, expect(1), {.nan = nan_policy::match}));
  CHECK_FALSE(accepts(not_a_number, expect(nan_value)));
  CHECK(accepts(not_a_number, expect(nan_value), {.nan = nan_policy::match}));
  CHECK_FALSE(accepts(1.0f, expect(nan_value), {.nan = nan_policy::match}));
  CHECK_FALSE(accepts(2.0f, expect(1, nan_value)));  // a spoilt scale allows nothing
  CHECK_FALSE(accepts(2.0f, expect(1, 1, nan_value)));
}

TEST_CASE("tolerance: infinities must be equal", "[support]") {
  auto const infinite = std::numeric_limits<float>::infinity();
  CHECK(accepts(infinite, expect(infinity, infinity)));
  CHECK_FALSE(accepts(-infinite, expect(infinity, infinity)));
  CHECK_FALSE(accepts(infinite, expect(1)));
  CHECK_FALSE(accepts(1.0f, expect(infinity, infinity)));
  CHECK_FALSE(accepts(3e38f, expect(-infinity, infinity)));
  CHECK(accepts(infinite, expect(1e39, 1e39)));  // float overflows there
  CHECK_FALSE(accepts(-infinite, expect(1e39, 1e39)));
}

TEST_CASE("tolerance: without terms only equality passes", "[support]") {
  CHECK(accepts(0.0f, expect(0, 0, 0)));
  CHECK(accepts(-0.0f, expect(0, 0, 0)));
  CHECK_FALSE(accepts(1e-38f, expect(0, 0, 0)));
  CHECK(accepts(3.0f, expect(3), exactly));
  CHECK_FALSE(accepts(std::nextafter(3.0f, 4.0f), expect(3), exactly));
}

TEST_CASE("tolerance: results below the smallest normal number may be flushed", "[support]") {
  CHECK(accepts(0.0f, expect(1e-100, 1e-100)));
  CHECK_FALSE(accepts(1e-30f, expect(1e-100, 1e-100)));
}

TEST_CASE("tolerance: a wrong size is an error of the test", "[support]") {
  std::vector<float> const three(3);
  CHECK_THROWS_AS(compare(three, expected_values(4, 1)), edgewise::invalid_argument);
  CHECK_THROWS_WITH(compare(three, expected_values(2, 2)),
                    Catch::Contains("3 elements") && Catch::Contains("4 values"));
}

TEST_CASE("number_format: found by conversion", "[support]") {
  auto const format = number_format_of<brain16>();
  CHECK(format.epsilon == 0x1p-7);
  CHECK(format.accumulator_epsilon == 0x1p-23);
  CHECK(format.underflow == 0x1p-126);
  CHECK(format.largest == 0x1.fep127);
  CHECK(number_format_of<double>().epsilon == 0x1p-52);
  CHECK(rounded_to<brain16>(1 + 0x1p-9) == 1);
}
