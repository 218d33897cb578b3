#include <edgewise/core/random.hpp>

#include <set>
#include <utility>

#include "support/catch.hpp"
#include "support/mask.hpp"

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

TEST_CASE("philox: gives the known answers of its authors for pairs, side by side", "[core]") {
  // Random123's kat_vectors, philox2x32 with 7 rounds.
  philox_pair const expected[3] = {{{0x257a3673, 0xcd26be2a}}, {{0xab302c4d, 0x3dc9d239}}, {{0xbedbbe6b, 0xe4c770b3}}};
  philox_pair const counters[3] = {{{0, 0}}, {{0xffffffff, 0xffffffff}}, {{0x243f6a88, 0x85a308d3}}};
  std::uint32_t const keys[3] = {0, 0xffffffff, 0x13198a2e};
  for (int i = 0; i < 3; ++i) {
    philox_pair drawn[3] = {counters[0], counters[1], counters[2]};
    draw_pairs(drawn, keys[i]);
    for (int k = 0; k < 2; ++k) CHECK(drawn[i].words[k] == expected[i].words[k]);
  }
}

TEST_CASE("masks: the bits of an element are those of its place", "[core]") {
  // 16 bits of philox2x32-7, the lower half of a word first, of (number, block | owner << 30) combined with two words
  // of philox4x32-10 of (3 << 30, 0, stream << 16, step) under the seed, whose first word is the key; computed
  // elsewhere.
  CHECK(testing::mask_bits({0x123456789abcdef, 7}, 3, random_owner::edge, 0x5, 0) == 0x164e);
  CHECK(testing::mask_bits({0x123456789abcdef, 7}, 3, random_owner::edge, 0x5, 1) == 0xd565);
  CHECK(testing::mask_bits({0x123456789abcdef, 7}, 3, random_owner::row, 0x5, 6) == 0x573d);
  CHECK(testing::mask_bits({0x1, 4294967295}, 65535, random_owner::edge, 0x10000000003, 255) == 0x20a9);
  CHECK(testing::mask_bits({0x1, 4294967295}, 65535, random_owner::edge, 0xabcd12345678, 7) == 0xe2b);
}

TEST_CASE("masks: counters of different elements differ", "[core]") {
  mask_key const key = make_mask_key({5, 1, 2});
  std::set<std::pair<std::uint32_t, std::uint32_t>> counters;
  int count = 0;
  for (random_owner owner : {random_owner::edge, random_owner::row}) {
    for (int shift = 0; shift < 48; ++shift) {
      for (std::uint32_t block : {0u, 1u, 2u, 0xffffu}) {
        philox_pair const counter = mask_counter(key, owner, std::uint64_t{1} << shift, block);
        counters.insert({counter.words[0], counter.words[1]});
        ++count;
      }
    }
  }
  CHECK(counters.size() == static_cast<std::size_t>(count));
}

TEST_CASE("random words are those of their place, to the bit") {
  // By philox4x32-10 of the counter (block | owner << 30, number, stream << 16 | number >> 32, step) under the seed,
  // computed elsewhere: they are the same in every version of the library.
  auto const check = [](philox_block const& drawn, philox_block const& expected) {
    for (int i = 0; i < 4; ++i) CHECK(drawn.words[i] == expected.words[i]);
  };
  random_key const key{0x0123456789abcdef, 7, 3};
  check(random_words(key, random_owner::edge, 5, 0), {{0x80a8ec9a, 0x3cf89b82, 0xa0c8f317, 0xbb8e107d}});
  check(random_words(key, random_owner::row, 5, 0), {{0x85686917, 0x3fc3e279, 0xe1f9c809, 0xa2736504}});
  check(random_words({key.seed, 7, 65535}, random_owner::element, 0xabcd12345678, 9),
        {{0x6ad222e8, 0x63360636, 0x2f4249c5, 0xf45a7de4}});
  check(random_words({1, 0xffffffff, 0}, random_owner::edge, std::uint64_t{1} << 40, 0x3fffffff),
        {{0x050058b1, 0x3f2dde5f, 0x081551a2, 0xc6cd3248}});
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
