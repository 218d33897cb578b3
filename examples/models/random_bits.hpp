// Random bits of the models' own loops: initial values and dropout of the input.
#pragma once

#include <cstdint>

#include <edgewise/core/config.hpp>
#include <edgewise/core/random.hpp>

namespace edgewise::models {

using edgewise::random_state;

/// 32 random bits for one element of one tensor ("layer" numbers the tensors of a model) at the state's step.
/// `step` counts modulo 2^32 here and an element index stays below 2^60: both far above what training reaches.
EDGEWISE_HD std::uint32_t random_bits(random_state state, std::uint32_t layer, std::int64_t element) {
  auto const index = static_cast<std::uint64_t>(element);
  std::uint64_t const block = index >> 2;
  random_key const key{state.seed, static_cast<std::uint32_t>(state.step), layer};
  return word_of(random_words(key, random_owner::element, block >> 30, static_cast<std::uint32_t>(block & 0x3FFFFFFF)),
                 static_cast<std::uint32_t>(index & 3));
}

/// Uniform in [0, 1) with 24 bits, exact in float and double.
EDGEWISE_HD double unit_interval(std::uint32_t bits) { return (bits >> 8) * (1.0 / 16777216.0); }

/// Advances the step by one, as a body for `for_each` over one element: the last thing a training step does.
struct advance_step {
  random_state* state;
  EDGEWISE_HD void operator()(std::int64_t) const { ++state->step; }
};

}  // namespace edgewise::models
