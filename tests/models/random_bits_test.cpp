#include "models/random_bits.hpp"

#include <cmath>
#include <set>

#include "support/catch.hpp"

namespace edgewise::models {
namespace {

TEST_CASE("random bits depend on seed, step, layer and element") {
  std::set<std::uint32_t> bits;
  int count = 0;
  for (std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 32}) {
    for (std::uint64_t step : {0, 1}) {
      for (std::uint32_t layer : {0, 1}) {
        for (std::int64_t element : {std::int64_t{0}, std::int64_t{1}, std::int64_t{4}, std::int64_t{1} << 33}) {
          bits.insert(random_bits({seed, step}, layer, element));
          ++count;
        }
      }
    }
  }
  CHECK(bits.size() == static_cast<std::size_t>(count));
}

TEST_CASE("the unit interval is half open and exact in float") {
  CHECK(unit_interval(0) == 0.0);
  CHECK(unit_interval(0xffffffff) == 1.0 - std::ldexp(1.0, -24));
  CHECK(static_cast<double>(static_cast<float>(unit_interval(0xdeadbeef))) == unit_interval(0xdeadbeef));
}

TEST_CASE("advance_step counts and keeps the seed") {
  random_state state{7, 41};
  advance_step{&state}(0);
  CHECK(state.seed == 7);
  CHECK(state.step == 42);
}

}  // namespace
}  // namespace edgewise::models
