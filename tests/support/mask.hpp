// Masks of dropout from their definition, one element at a time.
#pragma once

#include <cstdint>

#include <edgewise/core/random.hpp>

namespace edgewise::testing {

/// The 16 bits that an element of an owner draws, at a place of a row.
inline std::uint32_t mask_bits(random_state state, int stream, random_owner owner, std::uint64_t number, int element) {
  mask_key const key =
      make_mask_key({state.seed, static_cast<std::uint32_t>(state.step), static_cast<std::uint32_t>(stream)});
  auto const place = static_cast<std::uint32_t>(element);
  philox_pair drawn[1] = {mask_counter(key, owner, number, place / 4)};
  draw_pairs(drawn, key.key);
  return upper_bits_of(drawn[0], place % 4) >> 16;
}

/// What dropout of probability p multiplies that element by. p is rounded to a multiple of 2^-16.
inline double mask_factor(random_state state, int stream, random_owner owner, std::uint64_t number, int element,
                          double p) {
  auto const drops = static_cast<std::uint32_t>(p * 65536 + 0.5);
  return mask_bits(state, stream, owner, number, element) < drops ? 0 : 65536.0 / (65536 - drops);
}

}  // namespace edgewise::testing
