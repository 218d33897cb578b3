// Groups of a warp that share a row's edges: which part is whose, and how their states become one.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <cstring>
#include <type_traits>

#include <edgewise/core/config.hpp>

namespace edgewise::inline v0::detail {

/// The largest of x over the groups of a warp: where the loop of every group ends, so that shuffles meet all threads.
template <int GroupSize, class Offset>
EDGEWISE_DEVICE Offset longest_in_warp(Offset length) {
  Offset longest = length;
  EDGEWISE_UNROLL
  for (int m = GroupSize; m < 32; m <<= 1) {
    Offset const other = __shfl_xor_sync(0xffffffffu, longest, m);
    longest = other > longest ? other : longest;
  }
  return longest;
}

/// Exchanges a state with the thread `mask` away, word by word.
template <class Pass, class State>
EDGEWISE_DEVICE State exchange(State const& state, int mask) {
  State other = state;
  Pass::components(other, [mask](auto& v) {
    using value_type = std::remove_cvref_t<decltype(v)>;
    constexpr int words = sizeof(value_type) / 4;
    static_assert(sizeof(value_type) % 4 == 0, "gather: a state's size must be a multiple of 4 bytes");
    std::uint32_t word[words];
    memcpy(word, &v, sizeof(v));
    EDGEWISE_UNROLL
    for (int i = 0; i < words; ++i) word[i] = __shfl_xor_sync(0xffffffffu, word[i], mask);
    memcpy(&v, word, sizeof(v));
  });
  return other;
}

/// Which of the groups that share a task a thread is in.
struct sharing {
  int sub_groups = 1;  ///< a power of two; all of them in one warp
  int sub_group = 0;

  /// Leaves of [begin, end), edges or slots, the contiguous part that is this group's: merging keeps their order.
  template <class Count>
  EDGEWISE_DEVICE void take_share(Count& begin, Count& end) const {
    Count const share = (end - begin + static_cast<Count>(sub_groups) - 1) / static_cast<Count>(sub_groups);
    Count const last = end;
    begin += share * static_cast<Count>(sub_group);
    begin = begin < last ? begin : last;
    end = share < last - begin ? begin + share : last;
  }
};

/// Merges the states of the groups that share a task, earlier edges first; all of them end with the task's state.
template <class Pass, class Geometry, class State>
EDGEWISE_DEVICE void merge_sub_groups(Pass const& pass, Geometry const& geo, int sub_groups, State& state) {
  for (int mask = Geometry::group_size; mask < Geometry::group_size * sub_groups; mask <<= 1) {
    State const other = exchange<Pass>(state, mask);
    bool const is_later = (threadIdx.x & mask) != 0;
    State earlier = is_later ? other : state;
    State const later = is_later ? state : other;
    pass.merge(geo, earlier, later);
    state = earlier;
  }
}

/// How many pieces of the row were there before this one, once all threads of the group have written theirs. All
/// `sub_groups` that share it are told.
template <class Geometry>
EDGEWISE_DEVICE std::uint32_t announce_piece(std::uint32_t* counter, bool speaks, int sub_groups) {
  std::uint32_t arrived = 0;
  if constexpr (Geometry::is_block_wide) {
    __shared__ std::uint32_t shared;
    __syncthreads();
    if (speaks) shared = atomicAdd(counter, 1u);
    __syncthreads();
    arrived = shared;
  } else {
    __syncwarp();
    if (speaks) arrived = atomicAdd(counter, 1u);
    arrived = __shfl_sync(0xffffffffu, arrived, 0, Geometry::group_size * sub_groups);
  }
  return arrived;
}

}  // namespace edgewise::inline v0::detail
