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
/// reads. Registers bound them: four states of a few words, two of about eight. A softmax needs registers for its
/// weights too, and maxima for their arguments (docs/tuning.md, R29).
template <class Pass, class Geometry, class State>
EDGEWISE_HD constexpr int slots_ahead() {
  constexpr int chunks = Geometry::max_chunks;
  constexpr int most = sizeof(State) <= 16 ? 4 : 2;
  if constexpr (Pass::walks_edges) {
    if (Pass::wide_states <= 1 && !any_softmax<typename Pass::aggregation_types> && sizeof(State) <= 32) return most;
  }
  if (chunks >= 4) return 1;
  return sizeof(State) > 32 && chunks == 1 ? most : 4 / chunks;
}

/// The states that the pieces of a row leave, on their way to the row's: number `number` of `count` lies in slot
/// number << shift of the row. Runs of them are merged by whoever arrives last, and the sums of runs are states again:
/// rounding errors do not grow with the number of pieces, and the runs of a row are merged side by side.
struct run_of_slots {
  static constexpr int log_size = 5;

  int number;
  int count;
  int shift = 0;

  EDGEWISE_DEVICE int begin() const { return number >> log_size << log_size; }
  EDGEWISE_DEVICE int size() const {
    int const rest = count - begin();
    return rest < (1 << log_size) ? rest : 1 << log_size;
  }
  EDGEWISE_DEVICE bool is_last() const { return count <= 1 << log_size; }
  EDGEWISE_DEVICE std::int64_t slot_of(int state) const { return std::int64_t{state} << shift; }
  /// The slot whose counter counts arrivals: that of the run's second state, which is no other run's second.
  EDGEWISE_DEVICE std::int64_t counter() const { return slot_of(begin() + 1); }
  EDGEWISE_DEVICE run_of_slots next() const {
    return {number >> log_size, ((count - 1) >> log_size) + 1, shift + log_size};
  }
};

/// Which tile of a row has a part in its slots.
struct tile_of_slot {
  int tile;
  slot_tiles tiles;
};

/// Calls f(component, place) for the components of a state in a slot. Numbers come first, there once for each tile that
/// has them: a run's state takes the place of an earlier one, which other tiles may still have to read. Then the
/// channels of all tiles, in one row. Places are 32-bit numbers, since rows that are never cut have no registers for
/// more.
template <class Pass, class Geometry, class State, class F>
EDGEWISE_DEVICE void for_each_place(Geometry const& geo, tile_of_slot const& of, State& state, F const& f) {
  constexpr auto by_head = slot_copies::by_tile_of_head;
  constexpr auto by_row = slot_copies::by_tile_of_row;
  int head_bytes = 0;
  int row_bytes = 0;
  Pass::components(state, [&](auto const& v) {
    using value = std::remove_cvref_t<decltype(v)>;
    constexpr slot_copies copies = copies_in_slot<Pass, value>;
    if constexpr (copies == by_head) head_bytes += static_cast<int>(component_bytes<value>(geo));
    if constexpr (copies == by_row) row_bytes += static_cast<int>(component_bytes<value>(geo));
  });
  int place_by_head = of.tiles.of_head == 1 ? 0 : of.tile % of.tiles.of_head * head_bytes;
  int place_by_row = of.tiles.of_head * head_bytes + of.tile * row_bytes;
  int place_of_channels = of.tiles.of_head * head_bytes + of.tiles.of_row * row_bytes;
  Pass::components(state, [&](auto& v) {
    using value = std::remove_cvref_t<decltype(v)>;
    constexpr slot_copies copies = copies_in_slot<Pass, value>;
    int& place = copies == by_head ? place_by_head : (copies == by_row ? place_by_row : place_of_channels);
    f(v, place);
    place += static_cast<int>(component_bytes<value>(geo));
  });
}

/// Leaves a state in a slot.
template <class Pass, class Geometry, class State>
EDGEWISE_DEVICE void write_slot(Geometry const& geo, tile_of_slot const& of, char* slot, State& state) {
  for_each_place<Pass>(geo, of, state, [&](auto const& v, int place) { write_component(geo, slot + place, v); });
}

/// The states in slots [first, end), `slot_bytes` apart, merged in order.
template <class Pass, class Geometry, class State>
EDGEWISE_DEVICE void fold_slots(Pass const& pass, Geometry const& geo, tile_of_slot const& of, char const* slots,
                                std::int64_t slot_bytes, int first, int end, State& state) {
  constexpr int ahead = slots_ahead<Pass, Geometry, State>();
  pass.start(geo, state);
  for (; first < end; first += ahead) {
    State other[ahead];
    EDGEWISE_UNROLL
    for (int i = 0; i < ahead; ++i) {
      if (first + i < end) {
        char const* const from = slots + std::int64_t{first + i} * slot_bytes;
        for_each_place<Pass>(geo, of, other[i], [&](auto& v, int place) { read_component(geo, from + place, v); });
      }
    }
    EDGEWISE_UNROLL
    for (int i = 0; i < ahead; ++i) {
      if (first + i < end) pass.merge(geo, state, other[i]);
    }
  }
}

}  // namespace edgewise::inline v0::detail
