// How the states that pieces of a row left in slots become the row's.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <type_traits>

#include <edgewise/pass/gradient_sink.hpp>
#include <edgewise/pass/pass_sizes.hpp>
#include <edgewise/pass/pass_traits.hpp>
#include <edgewise/pass/slots.hpp>
#include <edgewise/pass/thread_scores.hpp>
#include <edgewise/pass/traverse.hpp>

namespace edgewise::inline v0::detail {

/// How many slots of a state are read together: where one row is cut into many pieces, its fold takes as long as these
/// reads. A softmax needs the registers for its weights; of states of eight words only those of sums have room for
/// four: maxima, whose arguments are states too, spill (docs/tuning.md, R29).
template <class Pass, class Geometry, class State>
EDGEWISE_HD constexpr int slots_ahead() {
  constexpr int chunks = Geometry::max_chunks;
  constexpr int channels = Geometry::channels_per_chunk;
  if constexpr (Pass::walks_edges) {
    constexpr bool is_half = Geometry::group_size < 32 && chunks == 2;
    constexpr int most = is_half && !forms_gradients<Pass> && sizeof(State) <= 32 ? 8 : 6;
    if (Pass::wide_states <= 1 && !any_softmax<typename Pass::aggregation_types> && chunks * channels <= most) return 4;
  }
  return chunks >= 4 ? 1 : 4 / chunks;
}

/// States that are merged one after another: slots of a run, and sums of runs.
inline constexpr int slots_of_run = 256;

/// Merges slots [first, end) of a row into `state`, in order.
template <class Pass, class Geometry, class State>
EDGEWISE_DEVICE void merge_slots(Pass const& pass, Geometry const& geo, char const* slots, std::int64_t slot_bytes,
                                 int first, int end, State& state) {
  constexpr int ahead = slots_ahead<Pass, Geometry, State>();
  for (; first < end; first += ahead) {
    State other[ahead];
    EDGEWISE_UNROLL
    for (int i = 0; i < ahead; ++i) {
      if (first + i < end) {
        char const* const from = slots + std::int64_t{first + i} * slot_bytes;
        std::int64_t at = 0;
        Pass::components(other[i], [&](auto& v) {
          read_component(geo, from + at, v);
          at += component_bytes<std::remove_cvref_t<decltype(v)>>(geo);
        });
      }
    }
    EDGEWISE_UNROLL
    for (int i = 0; i < ahead; ++i) {
      if (first + i < end) pass.merge(geo, state, other[i]);
    }
  }
}

/// Sums of runs of slots of a row, and sums of those.
template <class State>
struct run_sums {
  State level[2];
};

/// Takes the sum of run number `run`; the last one comes back as the whole. A function, and sums in memory: few rows
/// come here, and the others are to have the registers.
template <class Pass, class Geometry, class State>
__device__ __noinline__ void take_run(Pass const& pass, Geometry const geo, run_sums<State>& sums, int run,
                                      bool is_last, State& state) {
  for (int i = 0; i < 2; ++i) {
    bool const is_empty = i == 0 ? run % slots_of_run == 0 : run < slots_of_run;
    if (!is_empty) {
      State earlier = sums.level[i];
      pass.merge(geo, earlier, state);
      state = earlier;
    }
    bool const is_full = i == 0 && run % slots_of_run == slots_of_run - 1;
    if (!is_last && !is_full) {
      sums.level[i] = state;
      return;
    }
  }
}

/// The states in slots [first, end) of a row, merged in order: in runs, whose sums are merged in turn, and these again,
/// so that rounding errors do not grow with the number of slots.
template <class Pass, class Geometry, class State>
EDGEWISE_DEVICE void fold_slots(Pass const& pass, Geometry const& geo, char const* slots, std::int64_t slot_bytes,
                                int first, int end, State& state) {
  run_sums<State> sums;
  for (int run = 0;; ++run) {
    int const next = end - first > slots_of_run ? first + slots_of_run : end;
    pass.start(geo, state);
    merge_slots(pass, geo, slots, slot_bytes, first, next, state);
    bool const is_last = next == end;
    if (is_last && run == 0) return;
    State sum = state;
    take_run(pass, geo, sums, run, is_last, sum);
    if (is_last) {
      state = sum;
      return;
    }
    first = next;
  }
}

}  // namespace edgewise::inline v0::detail
