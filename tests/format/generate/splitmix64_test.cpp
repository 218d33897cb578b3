#include <edgewise/format/generate/splitmix64.hpp>

#include <vector>

#include "support/catch.hpp"

namespace edgewise {
namespace {

TEST_CASE("splitmix64 gives its published numbers") {
  splitmix64 random(1234567);  // known answers of the reference implementation, https://prng.di.unimi.it/splitmix64.c
  for (std::uint64_t const expected : {6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                                       4593380528125082431u, 16408922859458223821u}) {
    CHECK(random.next() == expected);
  }
}

TEST_CASE("below stays below and reaches every number") {
  splitmix64 random(3);
  for (std::uint64_t const bound : {1u, 2u, 3u, 7u, 8u, 9u}) {
    std::vector<int> drawn(bound);
    for (int k = 0; k < 1000; ++k) {
      auto const number = random.below(bound);
      REQUIRE(number < bound);
      ++drawn[number];
    }
    for (int count : drawn) CHECK(count > 1000 / static_cast<int>(bound) / 2);
  }
  CHECK(random.below(~std::uint64_t{0}) < ~std::uint64_t{0});
}

TEST_CASE("uniform is in [0, 1) with mean 1/2") {
  splitmix64 random(5);
  double sum = 0;
  for (int k = 0; k < 10000; ++k) {
    double const x = random.uniform();
    REQUIRE(x >= 0);
    REQUIRE(x < 1);
    sum += x;
  }
  CHECK(sum / 10000 == Approx(0.5).margin(0.015));  // 5 standard deviations
}

}  // namespace
}  // namespace edgewise
