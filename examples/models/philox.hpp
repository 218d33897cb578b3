// Counter-based random bits: the same numbers on every device, in any order, without state to carry.
#pragma once

#include <cstdint>

#include <edgewise/config.hpp>

namespace edgewise::models {

/// Four 32-bit words.
struct philox_block {
  std::uint32_t words[4];
};

/// Philox4x32-10: a bijection of the 128-bit counter under the 64-bit key, as good as random.
/// Source: Salmon, Moraes, Dror & Shaw 2011, "Parallel random numbers: as easy as 1, 2, 3", SC'11.
EDGEWISE_HD philox_block philox(philox_block counter, std::uint64_t key) {
  std::uint32_t key0 = static_cast<std::uint32_t>(key);
  std::uint32_t key1 = static_cast<std::uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    std::uint64_t const product0 = std::uint64_t{0xD2511F53} * counter.words[0];
    std::uint64_t const product1 = std::uint64_t{0xCD9E8D57} * counter.words[2];
    counter = {
        {static_cast<std::uint32_t>(product1 >> 32) ^ counter.words[1] ^ key0, static_cast<std::uint32_t>(product1),
         static_cast<std::uint32_t>(product0 >> 32) ^ counter.words[3] ^ key1, static_cast<std::uint32_t>(product0)}};
    key0 += 0x9E3779B9;  // the golden ratio
    key1 += 0xBB67AE85;  // sqrt(3) - 1
  }
  return counter;
}

/// What a run's random numbers depend on besides their place; read by kernels from the context's memory, so that a
/// captured CUDA graph does not freeze them.
struct random_state {
  std::uint64_t seed;
  std::uint64_t step;
};

/// 32 random bits for one element of one tensor ("layer" numbers the tensors of a model) at the state's step.
/// `step` counts modulo 2^32 here and an element index stays below 2^34: both far above what training reaches.
EDGEWISE_HD std::uint32_t random_bits(random_state state, std::uint32_t layer, std::int64_t element) {
  auto const index = static_cast<std::uint64_t>(element);
  philox_block const block =
      philox({{static_cast<std::uint32_t>(index >> 2), static_cast<std::uint32_t>(state.step), layer, 0}}, state.seed);
  return block.words[index & 3];
}

/// Uniform in [0, 1) with 24 bits, exact in float and double.
EDGEWISE_HD double unit_interval(std::uint32_t bits) { return (bits >> 8) * (1.0 / 16777216.0); }

/// Advances the step by one, as a body for `for_each` over one element: the last thing a training step does.
struct advance_step {
  random_state* state;
  EDGEWISE_HD void operator()(std::int64_t) const { ++state->step; }
};

}  // namespace edgewise::models
