#include "models/philox.hpp"

#include <cmath>
#include <set>

#include <catch2/catch.hpp>

namespace edgewise::models {
namespace {

void check_block(philox_block counter, std::uint64_t key, philox_block expected) {
  philox_block const actual = philox(counter, key);
  for (int i = 0; i < 4; ++i) CHECK(actual.words[i] == expected.words[i]);
}

TEST_CASE("philox gives the known answers of its authors") {
  // Random123's kat_vectors, philox4x32 with 10 rounds; the key's low word comes first there.
  check_block({{0, 0, 0, 0}}, 0, {{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}});
  check_block({{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}}, 0xffffffffffffffff,
              {{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}});
  check_block({{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}}, 0x299f31d0a4093822,
              {{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}});
}

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
