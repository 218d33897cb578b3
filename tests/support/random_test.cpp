#include "random.hpp"

#include <algorithm>
#include <cmath>

#include "support/catch.hpp"

using namespace edgewise::testing;

TEST_CASE("random: the same seed gives the same bits on every platform", "[support]") {
  random_stream random(0);
  CHECK(random.next_bits() == 0xe220a8397b1dcdafu);  // splitmix64's published first outputs for seed 0
  CHECK(random.next_bits() == 0x6e789e6aa1b965f4u);
  CHECK(random.next_bits() == 0x06c45d188009454fu);
}

TEST_CASE("random: named streams repeat and differ", "[support]") {
  CHECK(random_stream("a").next_bits() == random_stream("a").next_bits());
  CHECK(random_stream("a").next_bits() != random_stream("b").next_bits());
  CHECK(random_stream("ab").next_bits() != random_stream("ba").next_bits());
}

TEST_CASE("random: uniform and normal have their moments", "[support]") {
  random_stream random("random: moments");
  int const size = 100000;
  std::vector<double> values(size);
  fill_uniform(values, random, -1, 3);
  double mean = 0, square = 0;
  for (double x : values) {
    mean += x / size;
    square += x * x / size;
  }
  auto const [least, greatest] = std::minmax_element(values.begin(), values.end());
  CHECK(*least >= -1);
  CHECK(*greatest < 3);
  CHECK(mean == Approx(1).margin(6 * std::sqrt(4.0 / 3 / size)));  // six standard errors
  CHECK(square - mean * mean == Approx(4.0 / 3).epsilon(0.02));

  fill_normal(values, random, 2, 0.5);
  mean = square = 0;
  double beyond = 0;
  for (double x : values) {
    mean += x / size;
    square += x * x / size;
    beyond += std::abs(x - 2) > 0.5;
  }
  CHECK(mean == Approx(2).margin(6 * 0.5 / std::sqrt(size)));
  CHECK(square - mean * mean == Approx(0.25).epsilon(0.03));
  CHECK(beyond / size == Approx(0.3173).margin(0.01));
}

TEST_CASE("random: below covers its range and no more", "[support]") {
  random_stream random("random: below");
  std::vector<int> count(7);
  for (int k = 0; k < 7000; ++k) ++count.at(random.below(7));
  for (int c : count) CHECK(c > 800);
  std::vector<float> integers(1000);
  fill_integers(integers, random, 2);
  for (float x : integers) CHECK((x == -2 || x == -1 || x == 0 || x == 1 || x == 2));
  CHECK(std::count(integers.begin(), integers.end(), 2.0f) > 0);
  CHECK(std::count(integers.begin(), integers.end(), -2.0f) > 0);
}

TEST_CASE("random: EDGEWISE_TEST_SEED is a number or fresh", "[support]") {
  CHECK(parse_seed("42") == 42);
  CHECK(parse_seed(nullptr) == parse_seed(""));
  CHECK(parse_seed("fresh") != parse_seed("fresh"));
  CHECK_THROWS_AS(parse_seed("42x"), edgewise::invalid_argument);
  CHECK_THROWS_AS(parse_seed("-1"), edgewise::invalid_argument);
}

TEST_CASE("random: widened values are the stored ones", "[support]") {
  random_stream random("random: widened");
  auto const stored = uniform_values<float>(100, random);
  auto const wide = widened(stored);
  for (std::size_t i = 0; i < stored.size(); ++i) CHECK(static_cast<float>(wide[i]) == stored[i]);
}
