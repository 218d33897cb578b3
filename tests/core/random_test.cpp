#include <edgewise/core/random.hpp>

#include <set>

#include "support/catch.hpp"

namespace edgewise {
namespace {

void check_block(philox_block counter, std::uint64_t key, philox_block expected) {
  philox_block const actual = philox(counter, key);
  for (int i = 0; i < 4; ++i) CHECK(actual.words[i] == expected.words[i]);
}

TEST_CASE("philox: gives the known answers of its authors", "[core]") {
  // Random123's kat_vectors, philox4x32 with 10 rounds; the key's low word comes first there.
  check_block({{0, 0, 0, 0}}, 0, {{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}});
  check_block({{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}}, 0xffffffffffffffff,
              {{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}});
  check_block({{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}}, 0x299f31d0a4093822,
              {{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}});
}

TEST_CASE("random words depend on every part of their key and place", "[core]") {
  std::set<std::uint32_t> words;
  int count = 0;
  for (std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 32}) {
    for (std::uint32_t step : {0u, 1u}) {
      for (std::uint32_t stream : {0u, 1u, 65535u}) {
        for (random_owner owner : {random_owner::edge, random_owner::row, random_owner::element}) {
          for (std::uint64_t number : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 32}) {
            for (std::uint32_t block : {0u, 1u}) {
              philox_block const drawn = random_words({seed, step, stream}, owner, number, block);
              words.insert(drawn.words, drawn.words + 4);
              count += 4;
            }
          }
        }
      }
    }
  }
  CHECK(words.size() == static_cast<std::size_t>(count));
}

TEST_CASE("word_of picks a word by its index modulo 4", "[core]") {
  philox_block const block{{10, 11, 12, 13}};
  for (std::uint32_t i = 0; i < 8; ++i) CHECK(word_of(block, i) == 10 + i % 4);
}

TEST_CASE("random_numbers refuses streams that a counter has no room for", "[core]") {
  random_state const state{1, 2};
  CHECK(random_numbers(&state, 65535).stream == 65535);
  CHECK_THROWS_WITH(random_numbers(&state, 65536), "random_numbers: stream 65536 is not in [0, 65536)");
  CHECK_THROWS_AS(random_numbers(&state, -1), invalid_argument);
}

}  // namespace
}  // namespace edgewise
