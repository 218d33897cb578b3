// The entry kernels: the only code that reads threadIdx. A grid of groups takes pieces of cut rows first, then rows.
#pragma once

#include <cuda_runtime_api.h>

#include <edgewise/kernel/cuda_geometry.hpp>
#include <edgewise/kernel/slots.hpp>
#include <edgewise/kernel/traverse.hpp>
#include <edgewise/mapping/split_rows.hpp>

namespace edgewise::detail {

inline constexpr int block_threads = 128;

/// The parameters of a row traversal.
template <class Pass, class Index, class Offset>
struct row_traversal {
  Pass pass;
  grouping_view<Index, Offset> grouping;
  split_rows_view<Index, Offset> schedule;
  row_layout layout;
  char* slots;                 ///< [capacity, slot_bytes]
  std::int64_t slot_bytes;
  std::uint32_t* arrivals;     ///< [capacity, num_tiles], zero between launches
  std::int64_t num_tasks;      ///< capacity of pieces + rows
};

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

template <int Blocks, int MinBlocks, class Geometry, class Pass, class Index, class Offset>
__global__ void __launch_bounds__(block_threads, MinBlocks) traverse_rows(__grid_constant__ row_traversal<Pass, Index, Offset> const t) {
  constexpr int group_size = Geometry::group_size;
  constexpr int groups = block_threads / group_size;
  std::int64_t const task = static_cast<std::int64_t>(blockIdx.x) * groups + threadIdx.x / group_size;
  int const num_tiles = t.layout.num_tiles;
  int const tile = blockIdx.y;  // tile by tile, so that the rows in flight are those of one tile
  Geometry const geo(t.layout, tile, threadIdx.x % group_size);

  bool const is_piece = task < t.schedule.capacity;
  bool live = task < t.num_tasks && (!is_piece || task < *t.schedule.num_pieces);
  row_piece<Index, Offset> piece;
  if (live && is_piece) {
    piece = t.schedule.pieces[task];
  } else {
    piece.row = live ? static_cast<Index>(task - t.schedule.capacity) : Index(0);
    piece.begin = live ? t.grouping.offsets[piece.row] : Offset(0);
    piece.end = live ? t.grouping.offsets[piece.row + 1] : Offset(0);
    live = live && piece.end - piece.begin <= t.schedule.bound;  // longer rows are the pieces' work
    if (!live) piece.end = piece.begin;
  }
  Offset const length = longest_in_warp<group_size>(piece.end - piece.begin);

  using registers = pass_registers<Pass, Geometry, 1>;
  typename registers::fixed fixed;
  load_fixed(t.pass, geo, piece.row, fixed);
  typename Pass::template state<Geometry> state;
  t.pass.start(geo, state);
  walk<Blocks>(t.pass, geo, t.grouping, piece.begin, piece.end, piece.begin + length, fixed, state);
  t.pass.complete_state(geo, state);

  Offset degree = piece.end - piece.begin;
  if (is_piece && live) {
    char* const slot = t.slots + piece.slot * t.slot_bytes;
    std::int64_t place = 0;
    Pass::components(state, [&](auto const& v) {
      write_component(geo, slot + place, v);
      place += component_bytes<std::remove_cvref_t<decltype(v)>>(geo);
    });
    __threadfence();
  }
  if (__any_sync(0xffffffffu, is_piece)) {
    __syncwarp();
    // One thread of the group announces the piece; whoever is last folds all slots in order.
    std::uint32_t arrived = 0;
    if (is_piece && live && geo.thread == 0) {
      arrived = atomicAdd(t.arrivals + std::int64_t{piece.first_slot} * num_tiles + tile, 1u);
    }
    arrived = __shfl_sync(0xffffffffu, arrived, 0, group_size);
    if (is_piece) {
      live = live && arrived + 1 == static_cast<std::uint32_t>(piece.num_slots);
      if (live) {
        __threadfence();
        if (geo.thread == 0) t.arrivals[std::int64_t{piece.first_slot} * num_tiles + tile] = 0;
        t.pass.start(geo, state);
        constexpr int ahead = Geometry::max_chunks >= 4 ? 1 : 4 / Geometry::max_chunks;
        for (int first = 0; first < piece.num_slots; first += ahead) {
          typename Pass::template state<Geometry> other[ahead];
          EDGEWISE_UNROLL
          for (int i = 0; i < ahead; ++i) {
            if (first + i < piece.num_slots) {
              char const* const from = t.slots + (std::int64_t{piece.first_slot} + first + i) * t.slot_bytes;
              std::int64_t at = 0;
              Pass::components(other[i], [&](auto& v) {
                read_component(geo, from + at, v);
                at += component_bytes<std::remove_cvref_t<decltype(v)>>(geo);
              });
            }
          }
          EDGEWISE_UNROLL
          for (int i = 0; i < ahead; ++i) {
            if (first + i < piece.num_slots) t.pass.merge(geo, state, other[i]);
          }
        }
        degree = t.grouping.offsets[piece.row + 1] - t.grouping.offsets[piece.row];
      }
    }
  }
  t.pass.finish(geo, piece.row, degree, live, fixed, state);
}

}  // namespace edgewise::detail
