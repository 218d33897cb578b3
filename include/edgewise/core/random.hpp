// Counter-based random numbers: the same on every device, in any order, without state to carry.
#pragma once

#include <cstdint>
#include <type_traits>

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

/// Two 32-bit words.
struct philox_pair {
  std::uint32_t words[2];
};

/// Philox2x32-7 of N counters under one key: half the words of `philox` for a third of the work, by the fewest rounds
/// that pass the tests of BigCrush. The counters take their rounds side by side, which do not wait for each other.
/// Source: as of `philox`.
template <int N>
EDGEWISE_HD void draw_pairs(philox_pair (&counters)[N], std::uint32_t key) {
  EDGEWISE_KEEP_LOOP
  for (int round = 0; round < 7; ++round) {
    EDGEWISE_UNROLL
    for (int i = 0; i < N; ++i) {
      std::uint64_t const product = std::uint64_t{0xD256D193} * counters[i].words[0];
      counters[i] = {{static_cast<std::uint32_t>(product >> 32) ^ key ^ counters[i].words[1],
                      static_cast<std::uint32_t>(product)}};
    }
    key += 0x9E3779B9;
  }
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
/// The stream of a key that nothing is drawn from.
inline constexpr std::uint32_t no_stream = ~0u;

/// Words for elements 4 * block to 4 * block + 3 of an owner. Limits: block < 2^30, number < 2^48.
EDGEWISE_HD philox_block random_words(random_key key, random_owner owner, std::uint64_t number, std::uint32_t block) {
  return philox({{block | static_cast<std::uint32_t>(owner) << 30, static_cast<std::uint32_t>(number),
                  key.stream << 16 | static_cast<std::uint32_t>(number >> 32), key.step}},
                key.seed);
}

/// What the masks of one sequence at one step depend on: a key, and what counters are combined with.
struct mask_key {
  std::uint32_t key;
  std::uint32_t offsets[2];
  bool draws;  ///< false: nothing is dropped
};
/// Three words of Philox4x32-10 of a counter that `random_words` never takes, under the seed.
EDGEWISE_HD mask_key make_mask_key(random_key key) {
  philox_block const block = philox({{3u << 30, 0, key.stream << 16, key.step}}, key.seed);
  return {block.words[0], {block.words[1], block.words[2]}, true};
}

namespace detail {
/// Bit 0 becomes bit 31.
EDGEWISE_HD std::uint32_t reverse_bits(std::uint32_t x) {
#if defined(__CUDA_ARCH__)
  return __brev(x);
#else
  if (x == 0) return 0;
  std::uint32_t result = 0;
  for (int i = 0; i < 32; ++i) result |= (x >> i & 1u) << (31 - i);
  return result;
#endif
}
}  // namespace detail

/// The counter of elements 4 * block to 4 * block + 3 of an owner: `draw_pairs` of it, under `key.key`, gives each 16
/// bits. Limits: block < 2^30, number < 2^48. The upper bits of a number stand in reverse above those of the block,
/// where they meet only if there are 2^64 elements.
EDGEWISE_HD philox_pair mask_counter(mask_key const& key, random_owner owner, std::uint64_t number,
                                     std::uint32_t block) {
  std::uint32_t const upper = detail::reverse_bits(static_cast<std::uint32_t>(number >> 32)) >> 2;
  return {{static_cast<std::uint32_t>(number) ^ key.offsets[0],
           ((block ^ upper) | static_cast<std::uint32_t>(owner) << 30) ^ key.offsets[1]}};
}
/// The bits of element `index` modulo 4, as the upper half of a word whose lower half does not count.
EDGEWISE_HD std::uint32_t upper_bits_of(philox_pair const& pair, std::uint32_t index) {
  std::uint32_t const word = (index & 2) != 0 ? pair.words[1] : pair.words[0];
  return (index & 1) != 0 ? word : word << 16;
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

/// The same over a part of a graph: masks are those of the whole graph, by the numbers that edges and rows have there.
/// Shapes: edge_numbers [edges + rows] by edge id, the virtual self edges of rows behind the edges; row_numbers [rows];
/// where the program runs. Numbers are below 2^48.
struct renumbered_random_view : random_numbers_view {
  std::int64_t const* edge_numbers = nullptr;
  std::int64_t const* row_numbers = nullptr;
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

namespace detail {

template <class View>
inline constexpr bool is_random_view = std::is_base_of_v<random_numbers_view, View>;

}  // namespace detail

}  // namespace edgewise::inline v0
