// The entry kernel of tiles: one warp per window and head walks the window's tiles, a stage of shared memory ahead.
#pragma once

#include <cuda_runtime_api.h>

#include <edgewise/core/launch.cuh>
#include <edgewise/engine/cuda/fold_slots.cuh>
#include <edgewise/pass/tile_backward.cuh>
#include <edgewise/pass/tile_forward.cuh>
#include <edgewise/register/fragment_geometry.hpp>
#include <edgewise/schedule/tile_schedule.cuh>

namespace edgewise::inline v0::detail {

/// The parameters of a traversal of tiles. Slots: what threads compute of slots (program/tile_program.hpp).
template <class Pass, class Slots, class Index, class Offset>
struct tile_traversal {
  Pass pass;
  Slots slots_program;
  grouping_view<Index, Offset> rows;
  Offset const* window_tiles;
  Index const* columns;
  std::uint16_t const* masks;
  row_layout layout;
  window_piece<Offset> const* pieces;
  Offset const* piece_positions;  ///< [num_pieces, 16]: where the edges of a piece's rows begin
  std::int64_t num_pieces;
  std::int64_t num_tasks;  ///< pieces, then windows
  Offset max_tiles;        ///< longer windows are the pieces' work
  char* slots;             ///< [pieces, 16, slot_bytes]
  std::int64_t slot_bytes;
  std::uint32_t* arrivals;  ///< one per piece and tile of a row, zero between launches
};

/// Bytes of the part of a row that a warp holds.
template <class Tiles, int Channels>
inline constexpr int tile_row_bytes = tile_rows<typename Tiles::T, Channels>::row_bytes;

/// Warps of a block: as many as the stages of shared memory leave room for without asking for more.
template <class Tiles, int Channels>
inline constexpr int tile_warps = 512 / (tile_row_bytes<Tiles, Channels> < 128 ? 128 : tile_row_bytes<Tiles, Channels>);

/// Blocks that a multiprocessor should take: registers for as many. A sum holds one accumulator, products of rows need
/// own rows beside it, and gradients of both sides two of each.
template <class Pass, int Channels>
consteval int tile_blocks() {
  using tiles = tile_pass<Pass>;
  constexpr int row_bytes = tile_row_bytes<tiles, Channels>;
  constexpr int warps = [] {
    if constexpr (tiles::has_two_sums) {
      return row_bytes <= 128 ? 12 : 8;
    } else if constexpr (tiles::has_dot || tiles::needs_whole_heads || tiles::is_softmax) {
      return row_bytes <= 128 ? 16 : (row_bytes <= 256 ? 12 : 8);
    } else {
      return row_bytes <= 128 ? 24 : (Channels <= 64 ? 16 : 12);
    }
  }();
  return warps / tile_warps<tiles, Channels>;
}

/// What a warp has of a window: its rows and which part of theirs.
template <int Channels, access Access, class Index>
struct tile_place {
  fragment_geometry<Channels, Access> quad;
  score_geometry score;
  tile_channels part;
  Index rows[2];  ///< g and g + 8, some row where there is none
  bool live[2];

  template <class Offset>
  EDGEWISE_DEVICE tile_place(row_layout const& layout, int tile, Index window, grouping_view<Index, Offset> const& g)
      : quad(layout, tile, static_cast<int>(threadIdx.x % 4)),
        score{quad.own_head, true},
        part{quad.own_head * quad.channels + quad.first_channel, quad.end_channel - quad.first_channel} {
    EDGEWISE_UNROLL
    for (int r = 0; r < 2; ++r) {
      auto const row =
          static_cast<Index>(window * wsb_window_rows + static_cast<Index>(threadIdx.x % 32 / 4) + Index(8 * r));
      live[r] = row < g.num_rows;
      rows[r] = live[r] ? row : g.num_rows - 1;
    }
  }
};

/// Tiles whose rows are in shared memory, or on their way there: up to four, as many as leave room for the warps that
/// registers do. A sum without scores takes two, since more would take from the first-level cache, where masks and
/// numbers of edges lie (docs/tuning.md, R56).
template <class Tiles, int Channels>
inline constexpr int tile_stages = [] {
  constexpr int tables = Tiles::template stage_bytes<Channels> / tile_rows<typename Tiles::T, Channels>::bytes;
  if (!Tiles::is_softmax && !Tiles::needs_whole_heads) return 2;
  return tables > 1 ? (tile_row_bytes<Tiles, Channels> <= 128 ? 3 : 2) : 4;
}();

/// Walks tiles [begin, end) of a window. positions: where the edges of its rows begin; null where with the rows.
template <int Channels, bool Words, class Tiles, class Place, class Traversal, class Offset, class State>
EDGEWISE_DEVICE void walk_window(Traversal const& t, Place const& place, Offset begin, Offset end,
                                 Offset const* positions, char* stages, State& state) {
  using Index = typename decltype(t.rows)::index_type;
  using loader_type = slot_loader<typename Tiles::tables, float, Index, Offset, Tiles::has_ids>;
  constexpr int stage_bytes = Tiles::template stage_bytes<Channels>;
  constexpr int num_stages = tile_stages<Tiles, Channels>;
  constexpr int ahead = num_stages - 1;
  int const lane = static_cast<int>(threadIdx.x % 32);
  typename Tiles::template window<Channels, Index> own;
  own.template load<Words>(t.pass, place.score, place.part, place.rows, place.live);
  auto const read_column = [&](Offset tile) {
    Index column = 0;
    if (tile < end) {
      auto const* const columns = t.columns + static_cast<std::int64_t>(tile) * wsb_tile_columns;
      column = read_element(columns + lane % wsb_tile_columns);
    }
    return column;
  };
  auto const read_words = [&](Offset tile) {
    tile_words<Index> words{Index(0), {0u, 0u}};
    if constexpr (Tiles::tables::others::size > 0) words.column = read_column(tile);
    if (tile < end) {
      auto const* const masks = t.masks + static_cast<std::int64_t>(tile) * wsb_window_rows + lane / 4;
      words.bits[0] = __ldg(masks);
      words.bits[1] = __ldg(masks + 8);
    }
    return words;
  };
  loader_type loader;
  loader.start(t.rows, place.rows, positions);
  EDGEWISE_UNROLL
  for (int i = 0; i < ahead; ++i) {
    Index const column = read_column(begin + static_cast<Offset>(i));
    if (begin + static_cast<Offset>(i) < end) {
      Tiles::template copy<Channels, Words>(t.pass, place.part, column, stages + i * stage_bytes);
    }
    end_copies();
  }
  Index next_column = read_column(begin + ahead);
  tile_words<Index> now;
  tile_words<Index> next = read_words(begin);
  typename loader_type::numbers numbers_ahead;
  loader.load(t.pass.operands, place.score, t.rows, next, numbers_ahead);
  tile_words<Index> after = read_words(begin + 1);
  int stage = 0;
  for (Offset tile = begin; tile < end; ++tile) {
    wait_for_copies<ahead - 1>();
    __syncwarp();
    now = next;
    next = after;
    if (tile + ahead < end) {
      int const free = stage == 0 ? num_stages - 1 : stage - 1;
      Tiles::template copy<Channels, Words>(t.pass, place.part, next_column, stages + free * stage_bytes);
    }
    end_copies();
    next_column = read_column(tile + num_stages);
    after = read_words(tile + 2);
    auto const numbers = numbers_ahead;
    loader.load(t.pass.operands, place.score, t.rows, next, numbers_ahead);
    Tiles::template step<Channels>(t.pass, t.slots_program, place.score, own, now, numbers,
                                   stages + stage * stage_bytes, state);
    stage = stage == num_stages - 1 ? 0 : stage + 1;
  }
}

/// One warp per window, or piece of one, and tile of its rows.
template <int Channels, access Access, int MinBlocks, class Pass, class Slots, class Index, class Offset>
__global__ void __launch_bounds__((32 * tile_warps<tile_pass<Pass>, Channels>), (MinBlocks))
    walk_tiles(__grid_constant__ tile_traversal<Pass, Slots, Index, Offset> const t) {
  using tiles = tile_pass<Pass>;
  using geometry = fragment_geometry<Channels, Access>;
  constexpr int warps = tile_warps<tiles, Channels>;
  alignas(128) __shared__ char shared[warps][tile_stages<tiles, Channels>][tiles::template stage_bytes<Channels>];
  int const warp = static_cast<int>(threadIdx.x / 32);
  std::int64_t const number = static_cast<std::int64_t>(blockIdx.x) * warps + warp;
  std::int64_t const task = number / t.layout.num_tiles;
  int const tile = static_cast<int>(number % t.layout.num_tiles);
  if (task >= t.num_tasks) return;
  window_piece<Offset> piece;
  bool const is_piece = task < t.num_pieces;
  if (is_piece) {
    piece = t.pieces[task];
  } else {
    piece.window = static_cast<std::int32_t>(task - t.num_pieces);
    piece.begin = t.window_tiles[piece.window];
    piece.end = t.window_tiles[piece.window + 1];
    if (piece.end - piece.begin > t.max_tiles) return;
    if (piece.begin == piece.end) {  // left to its rows, but where there are no edges
      auto const first = static_cast<Index>(piece.window) * wsb_window_rows;
      Index const last = first + wsb_window_rows < t.rows.num_rows ? first + wsb_window_rows : t.rows.num_rows;
      if (t.rows.offsets[first] != t.rows.offsets[last]) return;
    }
  }
  tile_place<Channels, Access, Index> const place(t.layout, tile, static_cast<Index>(piece.window), t.rows);
  typename tiles::template state<Channels> state;
  tiles::template start<Channels>(state);
  if (piece.begin < piece.end) {
    walk_window<Channels, Access == access::chunk, tiles>(
        t, place, piece.begin, piece.end, is_piece ? t.piece_positions + task * wsb_window_rows : nullptr,
        &shared[warp][0][0], state);
  }
  tile_of_slot const of_slot{tile, slot_tiles::of(t.layout)};
  int const quad = static_cast<int>(threadIdx.x % 32 / 4);
  char* const first_slot = t.slots + piece.first_piece * wsb_window_rows * t.slot_bytes;
  if (is_piece) {
    EDGEWISE_UNROLL
    for (int r = 0; r < 2; ++r) {
      typename Pass::template state<geometry> whole;
      tiles::template take_row<Channels>(t.pass, place.quad, r, state, whole);
      if (place.live[r])
        write_slot<Pass>(place.quad, of_slot, t.slots + (task * wsb_window_rows + quad + 8 * r) * t.slot_bytes, whole);
    }
    __threadfence();
    __syncwarp();
    std::uint32_t arrived = 0;
    std::uint32_t* const counter = t.arrivals + std::int64_t{piece.first_piece} * t.layout.num_tiles + tile;
    if (threadIdx.x % 32 == 0) arrived = atomicAdd(counter, 1u);
    arrived = __shfl_sync(0xffffffffu, arrived, 0);
    if (arrived + 1 != static_cast<std::uint32_t>(piece.num_pieces)) return;
    __threadfence();
    if (threadIdx.x % 32 == 0) *counter = 0;
  }
  with_parameters(t.pass, place.quad, [&](auto const& launch) {
    EDGEWISE_UNROLL
    for (int r = 0; r < 2; ++r) {
      Index const row = place.rows[r];
      typename Pass::template state<geometry> whole;
      if (is_piece) {
        fold_slots(t.pass, place.quad, of_slot, first_slot + (quad + 8 * r) * t.slot_bytes,
                   wsb_window_rows * t.slot_bytes, 0, place.live[r] ? piece.num_pieces : 0, whole);
      } else {
        tiles::template take_row<Channels>(t.pass, place.quad, r, state, whole);
      }
      with_row(t.pass, launch, row, [&](auto const& env) {
        t.pass.finish(env, row, t.rows.offsets[row + 1] - t.rows.offsets[row], place.live[r], whole);
      });
    }
  });
}

/// The kernel for rows of some layout: a launch, without its type.
template <class Pass, class Slots, class Index, class Offset>
struct tile_kernel {
  using traversal_type = tile_traversal<Pass, Slots, Index, Offset>;
  void (*start)(traversal_type const&, unsigned blocks, stream_handle) = nullptr;
  int warps = 0;

  template <int Channels, access Access>
  static void start_walk(traversal_type const& t, unsigned blocks, stream_handle stream) {
    launch_kernel("walk_tiles", walk_tiles<Channels, Access, tile_blocks<Pass, Channels>(), Pass, Slots, Index, Offset>,
                  blocks, 32 * tile_warps<tile_pass<Pass>, Channels>, stream, t);
  }
  template <int Channels, access Access>
  void choose() {
    start = start_walk<Channels, Access>;
    warps = tile_warps<tile_pass<Pass>, Channels>;
  }
};

}  // namespace edgewise::inline v0::detail
