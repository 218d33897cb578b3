// Counter-based random numbers: the same on every device, in any order, without state to carry.
#pragma once

#include <cstdint>

#include <edgewise/core/config.hpp>
#include <edgewise/core/error.hpp>
#include <edgewise/core/operand.hpp>

namespace edgewise::inline v0 {

/// Four 32-bit words.
struct philox_block {
  std::uint32_t words[4];
};

/// Philox4x32-10: a bijection of the 128-bit counter under the 64-bit key, as good as random.
/// Source: Salmon, Moraes, Dror & Shaw 2011, "Parallel random numbers: as easy as 1, 2, 3", SC'11.
EDGEWISE_HD philox_block philox(philox_block counter, std::uint64_t key) {
  std::uint32_t key0 = static_cast<std::uint32_t>(key);
  std::uint32_t key1 = static_cast<std::uint32_t>(key >> 32);
  // Threads draw many blocks, each with code of its own: a loop keeps that short (docs/tuning.md, R47).
  EDGEWISE_KEEP_LOOP
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

/// What random numbers depend on besides their place. Kernels read it from their own memory when they run, so that a
/// captured CUDA graph draws other numbers whenever the step was advanced.
struct random_state {
  std::uint64_t seed;
  std::uint64_t step;  ///< counts modulo 2^32
};

/// What a number belongs to: an edge by id, a row of vertices, or an element of a dense tensor.
enum class random_owner : std::uint32_t { edge, row, element };

/// One sequence of random numbers at one step.
struct random_key {
  std::uint64_t seed;
  std::uint32_t step;
  std::uint32_t stream;  ///< below 2^16, or `no_stream`
};
inline constexpr std::uint32_t no_stream = ~0u;  ///< of a key that nothing is drawn from

/// Words for elements 4 * block to 4 * block + 3 of an owner. Limits: block < 2^30, number < 2^48.
EDGEWISE_HD philox_block random_words(random_key key, random_owner owner, std::uint64_t number, std::uint32_t block) {
  return philox({{block | static_cast<std::uint32_t>(owner) << 30, static_cast<std::uint32_t>(number),
                  key.stream << 16 | static_cast<std::uint32_t>(number >> 32), key.step}},
                key.seed);
}

/// Word `index` modulo 4; by selection, since arrays in registers cannot be indexed.
EDGEWISE_HD std::uint32_t word_of(philox_block const& block, std::uint32_t index) {
  std::uint32_t const low = (index & 1) != 0 ? block.words[1] : block.words[0];
  std::uint32_t const high = (index & 1) != 0 ? block.words[3] : block.words[2];
  return (index & 2) != 0 ? high : low;
}

/// The random numbers of a name: where their state lies, and which stream of it is theirs.
struct random_numbers_view {
  using value_type = random_state const;
  static constexpr operand_kind kind = operand_kind::per_row;
  random_state const* data = nullptr;
  std::uint32_t stream = 0;
};

/// `bind<drop>(random_numbers(&state, 2))`: stream 2 of a state, which lies where the program runs. Each dropout that
/// shares a state, those of other layers too, takes a stream of its own. Throws `invalid_argument` unless
/// 0 <= stream < 65536.
inline random_numbers_view random_numbers(random_state const* state, std::int64_t stream = 0) {
  if (stream < 0 || stream >= 65536) {
    throw invalid_argument(detail::text("random_numbers: stream ", stream, " is not in [0, 65536)"));
  }
  return {state, static_cast<std::uint32_t>(stream)};
}

/// `bind<drop>(no_dropout())`: nothing is dropped and nothing scaled, by the plan of training: what inference binds.
inline random_numbers_view no_dropout() { return {nullptr, no_stream}; }

}  // namespace edgewise::inline v0
