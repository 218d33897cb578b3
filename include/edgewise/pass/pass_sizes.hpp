// Bytes of what a pass keeps of a row outside of registers, and what it says of rows that do not fit into them.
#pragma once

#include <cstdint>

#include <edgewise/core/error.hpp>
#include <edgewise/core/extents.hpp>
#include <edgewise/pass/gradient_sink.hpp>
#include <edgewise/pass/slots.hpp>
#include <edgewise/program/layout.hpp>
#include <edgewise/program/row_bytes.hpp>
#include <edgewise/program/shapes.hpp>
#include <edgewise/register/cuda_geometry.hpp>

namespace edgewise::inline v0::detail {

template <class Pass>
std::int64_t partial_bytes([[maybe_unused]] row_extents extents) {
  if constexpr (Pass::has_parameter_targets) {
    return sums_bytes<typename Pass::accumulator>(typename Pass::parameter_targets{}, extents);
  } else {
    return 0;
  }
}

/// The tiles that rows are cut into, as far as slots ask.
struct slot_tiles {
  int of_row = 1;
  int of_head = 1;

  EDGEWISE_HD static slot_tiles of(row_layout const& layout) { return {layout.num_tiles, layout.channel_tiles}; }
  /// At most: whatever groups hold.
  static slot_tiles most(row_extents extents) { return {most_tiles(extents), most_tiles({1, extents.channels})}; }
};
/// How many copies a slot has of a component of a state: one of channels, of a number one for each tile that has it,
/// but of gradients, whose tiles run one after the other.
enum class slot_copies { one, by_tile_of_head, by_tile_of_row };
template <class Pass, class V>
inline constexpr slot_copies copies_in_slot = V::extent_of == extent::wide || forms_gradients<Pass>
                                                  ? slot_copies::one
                                                  : (is_uniform(V::extent_of) ? slot_copies::by_tile_of_row
                                                                              : slot_copies::by_tile_of_head);
EDGEWISE_HD constexpr int count_copies(slot_copies copies, slot_tiles const& tiles) {
  return copies == slot_copies::one ? 1 : (copies == slot_copies::by_tile_of_row ? tiles.of_row : tiles.of_head);
}

template <class Pass>
struct byte_counter {
  row_extents extents;
  slot_tiles tiles;
  std::int64_t* bytes;
  template <class V>
  EDGEWISE_HD void operator()(V const&) const {
    *bytes += count_copies(copies_in_slot<Pass, V>, tiles) * component_bytes<V>(extents);
  }
};

/// Bytes of the state of a row that a piece leaves in its slot.
template <class Pass>
std::int64_t slot_bytes(row_extents extents, slot_tiles const& tiles = {}) {
  using geometry = cuda_geometry<4, 1, 4>;  // registers differ between geometries, slots do not
  typename Pass::template state<geometry> state;
  std::int64_t bytes = 0;
  Pass::components(state, byte_counter<Pass>{extents, tiles, &bytes});
  return bytes;
}

[[noreturn]] inline void throw_row_too_wide(layout_need need, row_extents extents, int capacity) {
  if (need == layout_need::whole_rows) {
    throw invalid_argument(
        text("plan: rows of ", extents.heads, " heads x ", extents.channels,
             " channels are too wide for a gradient or value that sums over heads and channels (at most ", capacity,
             " channels, each head rounded up to a power of two)"));
  }
  if (need == layout_need::all_heads) {
    throw invalid_argument(
        text("plan: rows of ", extents.heads,
             " heads are too wide for a gradient or value that sums over heads (a group holds all of them)"));
  }
  throw invalid_argument(text("plan: heads of ", extents.channels,
                              " channels are too wide for a message that sums over channels (at most ", capacity,
                              " channels here)"));
}

}  // namespace edgewise::inline v0::detail
