// The entry kernels: the only code that reads threadIdx. A grid of groups takes pieces of cut rows first, then rows.
#pragma once

#include <cuda_runtime_api.h>

#include <edgewise/core/launch.cuh>
#include <edgewise/engine/cuda/fold_slots.cuh>
#include <edgewise/engine/cuda/sub_groups.cuh>
#include <edgewise/mapping/policy.hpp>
#include <edgewise/pass/gradient_sink.hpp>
#include <edgewise/pass/pass_sizes.hpp>
#include <edgewise/pass/pass_traits.hpp>
#include <edgewise/pass/slots.hpp>
#include <edgewise/pass/thread_scores.hpp>
#include <edgewise/pass/traverse.hpp>
#include <edgewise/program/gradient_pointer.hpp>
#include <edgewise/register/cuda_geometry.hpp>
#include <edgewise/schedule/cut_rows.hpp>

namespace edgewise::inline v0::detail {

/// Threads of a block whose groups are parts of it.
inline constexpr int block_threads = 128;

/// Threads of a block: a group may be as large as the block.
template <class Geometry>
inline constexpr int threads_of = Geometry::is_block_wide ? Geometry::group_size : block_threads;

/// May a launch choose how many threads a block that walks rows has? Only of rows of several chunks per thread: for
/// narrower ones the choice costs more than it pays (docs/tuning.md, R28). A pass that sums over all edges counts its
/// blocks by hand, and a group may be as large as a block.
template <class Geometry, class Pass>
inline constexpr bool chooses_block =
    Geometry::group_size == 32 && Geometry::max_chunks > 1 && !Pass::has_parameter_targets;

/// Threads of a block that walks rows, at most where a launch chooses.
template <class Geometry, class Pass, int MinBlocks>
inline constexpr int row_threads = Geometry::is_block_wide || Pass::has_parameter_targets || !Pass::walks_edges ||
                                           chooses_block<Geometry, Pass>
                                       ? threads_of<Geometry>
                                       : choose_block_threads(Geometry::group_size, MinBlocks);
/// How many blocks of `row_threads` a multiprocessor should take where it should take MinBlocks of `block_threads`.
template <class Geometry, class Pass, int MinBlocks>
inline constexpr int row_blocks =
    Geometry::is_block_wide ? MinBlocks : MinBlocks* block_threads / row_threads<Geometry, Pass, MinBlocks>;

/// The parameters of a traversal. Schedule: cut_rows_view, dynamic_rows_view (engine/cuda/queue_entry.cuh), or
/// edge_split_view (engine/cuda/share_entry.cuh).
template <class Pass, class Index, class Offset, class Schedule>
struct traversal {
  Pass pass;
  grouping_view<Index, Offset> grouping;
  Schedule schedule;
  row_layout layout;
  int first_tile;    ///< of this launch
  tile_order order;  ///< where tiles run one after the other
  char* slots;       ///< [capacity, slot_bytes]
  std::int64_t slot_bytes;
  std::uint32_t* arrivals;    ///< [capacity, num_tiles], zero between launches
  std::int64_t num_tasks;     ///< capacity of pieces + rows, or shares
  int sub_groups;             ///< groups that share a row's edges, a power of two; all of them in one warp
  int piece_sub_groups;       ///< groups that share a piece's edges, where pieces have blocks of their own
  std::int64_t piece_blocks;  ///< blocks that take pieces alone; 0: pieces and rows share blocks
  char* partials;             ///< [blocks, partial_bytes]: sums over all edges
  std::int64_t partial_bytes;
  std::int64_t wave_blocks;           ///< of such sums: blocks that deal a stretch of the tasks among them
  bool adds_partials;                 ///< earlier launches of the pass left theirs
  bool takes_tiles_together = false;  ///< `block_place`

  template <class Other>
  traversal<Other, Index, Offset, Schedule> with_pass(Other const& other) const {
    return {other,        grouping,   schedule,      layout,      first_tile,    order,
            slots,        slot_bytes, arrivals,      num_tasks,   sub_groups,    piece_sub_groups,
            piece_blocks, partials,   partial_bytes, wave_blocks, adds_partials, takes_tiles_together};
  }
};

template <class Pass, class Index, class Offset>
using row_traversal = traversal<Pass, Index, Offset, cut_rows_view<Index, Offset>>;

/// x, which the compiler takes for another number: what is found by it is read or computed again where it is needed,
/// and not kept in registers meanwhile.
template <class T>
EDGEWISE_DEVICE T forgotten(T x) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
  auto lower = static_cast<std::uint32_t>(x);
  asm volatile("" : "+r"(lower));
  if constexpr (sizeof(T) == 4) return static_cast<T>(lower);
  auto upper = static_cast<std::uint32_t>(static_cast<std::uint64_t>(x) >> 32);
  asm volatile("" : "+r"(upper));
  return static_cast<T>(std::uint64_t{upper} << 32 | lower);
}

/// Walks edges [first_edge, end_edge), a piece of a row or a whole one, whose environment is `env`; whoever arrives
/// last finishes the row. `place`: the row, or of a piece (`is_piece`) the number by which `find` gives it after the
/// walk, so that whole rows carry nothing of slots (docs/tuning.md, R64). A group that has nothing to do (`live` false,
/// no edges) takes part in shuffles.
template <int EdgesInFlight, bool Shares, class Traversal, class Env, class Offset, class Place, class Find,
          class State>
EDGEWISE_DEVICE void run_piece(Traversal const& t, Env const& env, int tile, sharing const& shared, Offset first_edge,
                               Offset end_edge, Place place, bool is_piece, bool live, Find const& find, State& state) {
  using Pass = std::remove_cvref_t<decltype(t.pass)>;
  using Geometry = typename Env::geometry;
  using Index = typename std::remove_cvref_t<decltype(t.grouping)>::index_type;
  constexpr int group_size = Geometry::group_size;
  constexpr bool shares = Shares && Pass::walks_edges;
  Geometry const& geo = env.geo;
  int const num_tiles = t.layout.num_tiles;
  Offset degree = end_edge - first_edge;
  t.pass.start(geo, state);
  if constexpr (Pass::walks_edges) {
    Offset begin = first_edge;
    Offset end = end_edge;
    if (shares && shared.sub_groups > 1) shared.take_share(begin, end);
    Offset const length = longest_in_warp<group_size>(static_cast<Offset>(end - begin));
    Offset const stop = begin + length;
    if constexpr (Geometry::scores_of == scores::by_thread) {
      walk_by_rounds<EdgesInFlight>(t.pass, env, t.grouping, begin, end, stop, state);
    } else {
      walk<EdgesInFlight>(t.pass, env, t.grouping, begin, end, stop, state);
    }
  }
  t.pass.complete_state(geo, state);
  if constexpr (shares) merge_sub_groups(t.pass, geo, shared.sub_groups, state);
  bool const leads = !shares || shared.sub_group == 0;  // for the groups that share the task

  auto row = static_cast<Index>(place);
  if constexpr (Pass::walks_edges) {
    bool arrives = is_piece && live;
    row_piece<Index, Offset> piece;
    if (is_piece) {
      piece = find(place);
      row = piece.row;
      live = false;  // until the row's last state is there
    }
    run_of_slots run{static_cast<int>(piece.slot - piece.first_slot), static_cast<int>(piece.num_slots)};
    while (__any_sync(0xffffffffu, arrives)) {
      tile_of_slot const of_slot{forgotten(tile), slot_tiles::of(t.layout)};
      char* const slots = t.slots + std::int64_t{piece.first_slot} * t.slot_bytes;
      if (arrives && leads) {
        write_slot<Pass>(geo, of_slot, slots + run.slot_of(run.number) * t.slot_bytes, state);
        __threadfence();
      }
      // One thread of those that share the piece announces it; whoever is last folds the states of the run in order.
      bool const counts = arrives && leads && geo.thread == 0 && run.size() > 1;
      std::uint32_t* const counter = t.arrivals + (std::int64_t{piece.first_slot} + run.counter()) * num_tiles + tile;
      std::uint32_t const arrived = announce_piece<Geometry>(counter, counts, shares ? shared.sub_groups : 1);
      arrives = arrives && arrived + 1 == static_cast<std::uint32_t>(run.size());
      if (arrives) {
        __threadfence();
        if (counts) *counter = 0;
        int first = 0;
        int end = run.size();
        if constexpr (shares) shared.take_share(first, end);
        fold_slots(t.pass, geo, of_slot, slots + run.slot_of(run.begin()) * t.slot_bytes, t.slot_bytes << run.shift,
                   first, end, state);
      }
      if constexpr (shares) {
        if (__any_sync(0xffffffffu, arrives)) {
          State folded = state;
          merge_sub_groups(t.pass, geo, shared.sub_groups, folded);
          if (arrives) state = folded;  // a warp may have whole rows, too
        }
      }
      if (arrives && run.is_last()) {
        live = true;
        arrives = false;
        degree = t.grouping.offsets[row + 1] - t.grouping.offsets[row];
      }
      run = run.next();
    }
  }
  t.pass.finish(env, row, degree, live && leads, state);
}

/// May pieces start where their rows would? A sum over all edges takes them in an order of its own, and blocks of
/// pieces alone, of small groups, have all of them.
template <class Pass, bool Shares>
inline constexpr bool may_take_pieces_in_place = Pass::walks_edges && !Shares && !Pass::has_parameter_targets;

/// One task of those before `end`: a piece of a cut row or a whole row. `State` outlives tasks only in its sums over
/// all edges.
template <int EdgesInFlight, bool Shares, class Env, class Pass, class Index, class Offset, class Schedule, class Task,
          class State>
EDGEWISE_DEVICE void run_task(traversal<Pass, Index, Offset, Schedule> const& t, Env const& launch, int tile,
                              sharing const& shared, Task task, Task end, State& state) {
  auto const capacity = static_cast<Task>(t.schedule.capacity);
  bool is_piece = Pass::walks_edges && task < capacity;
  bool live = task < end && (!is_piece || task < static_cast<Task>(*t.schedule.num_pieces));
  Task number = is_piece ? task : task - capacity;  // of the piece, or the row
  Index const* order = t.schedule.order;
  if constexpr (may_take_pieces_in_place<Pass, Shares>) {
    if (t.schedule.tasks) {
      auto const num_rows = static_cast<task_entry<Index>>(t.grouping.num_rows);
      task_entry<Index> const entry = task < end ? t.schedule.tasks[task] : no_task<Index>;
      live = entry != no_task<Index>;
      is_piece = live && entry >= num_rows;
      number = static_cast<Task>(is_piece ? entry - num_rows : entry);
      order = nullptr;
    }
  }
  row_piece<Index, Offset> piece;
  if (live && is_piece) {
    piece = t.schedule.pieces[number];
  } else {
    piece.row = live ? static_cast<Index>(number) : Index(0);
    if (live && order) piece.row = order[piece.row];
    bool const has_edges = Pass::reads_degrees && live;
    piece.begin = has_edges ? t.grouping.offsets[piece.row] : Offset(0);
    piece.end = has_edges ? t.grouping.offsets[piece.row + 1] : Offset(0);
    live = live && piece.end - piece.begin <= t.schedule.bound;  // longer rows are the pieces' work
    if (!live) piece.end = piece.begin;
  }
  bool const leaves_state = is_piece && piece.num_slots > 1;  // partitions may leave a row in one piece
  // One number for both: chosen after the walk, it would be two.
  Task const place = forgotten(leaves_state ? number : static_cast<Task>(piece.row));
  auto const find = [&t](Task n) { return t.schedule.pieces[n]; };
  with_row(t.pass, launch, piece.row, [&](auto const& env) {
    run_piece<EdgesInFlight, Shares>(t, env, tile, shared, piece.begin, piece.end, place, leaves_state, live, find,
                                     state);
  });
}

/// Adds up a block's groups thread by thread in group order, and leaves the block's sums in its slot of `partials`:
/// added to what earlier launches left there (`adds`), or earlier tiles.
template <class Geometry, class Sums>
EDGEWISE_DEVICE void store_block_sums(Geometry const& geo, Sums& sums, char* slot, bool adds, tile_order const& order) {
  constexpr int group_size = Geometry::group_size;
  std::int64_t place = 0;
  sums.for_each([&](auto, auto& sum) {
    using sum_type = std::remove_cvref_t<decltype(sum)>;
    using scalar = typename sum_type::scalar;
    if constexpr (!Geometry::is_block_wide) {
      __shared__ scalar shared[block_threads];
      for_each_entry<sum_type>(geo, [&](int, int c, int l) {
        __syncthreads();
        shared[threadIdx.x] = sum.at(0, c, l);
        __syncthreads();
        if (threadIdx.x < group_size) {
          scalar total = shared[threadIdx.x];
          for (int g = 1; g < block_threads / group_size; ++g) total += shared[g * group_size + threadIdx.x];
          sum.at(0, c, l) = total;
        }
      });
    }
    auto whole = complete(geo, sum);
    using whole_type = decltype(whole);
    if (threadIdx.x < group_size) {
      constexpr extent e = whole_type::extent_of;
      bool const follows =
          e != extent::wide && order.follows(is_uniform(e) ? operand_kind::per_row : operand_kind::per_head);
      if (adds || follows) {
        whole_type earlier;
        read_component(geo, slot + place, earlier);
        for_each_entry<whole_type>(geo, [&](int, int c, int l) { whole.at(0, c, l) += earlier.at(0, c, l); });
      }
      write_component(geo, slot + place, whole);
    }
    place += component_bytes<std::remove_cvref_t<decltype(whole)>>(geo);
  });
}

/// Which tile a block has, and its number among the blocks of that tile: tile by tile, so that the rows in flight are
/// those of one tile, or all tiles of a row before those of the next one, so that its parts move together.
template <bool MayTogether>
struct block_place {
  bool together;

  EDGEWISE_DEVICE int tile() const { return static_cast<int>(MayTogether && together ? blockIdx.x : blockIdx.y); }
  EDGEWISE_DEVICE unsigned number() const {
    return MayTogether && together ? blockIdx.z * gridDim.y + blockIdx.y : blockIdx.x;
  }
  /// The launch of so many blocks a tile, or of a few more.
  dim3 grid_of(unsigned blocks, unsigned tiles) const {
    if (!MayTogether || !together) return {blocks, tiles};
    constexpr unsigned most = 65535;  // of a launch's y and z
    unsigned const layers = blocks / most + 1;
    return {tiles, (blocks + layers - 1) / layers, layers};
  }
};
/// May it choose? Sums over all edges are counted by blocks, and groups of rows of one tile have nothing to choose.
template <class Geometry, class Pass>
inline constexpr bool may_take_tiles_together =
    Pass::walks_edges && !Pass::has_parameter_targets &&
    Geometry::capacity_chunks * Geometry::channels_per_chunk >= 256 && Geometry::group_size == 32;

/// Rows by implicit number, pieces of cut rows first. A pass that sums over all edges runs on a fixed number of blocks,
/// each with a fixed share: as many as run at a time deal a stretch of the tasks among them, and the next as many the
/// next one, so that the rows in flight stay close to each other.
/// Shares: may groups of a warp share a row? The largest block bounds the registers, however many threads a launch
/// takes.
template <int EdgesInFlight, int MinBlocks, bool Shares, class Geometry, class Pass, class Index, class Offset>
__global__ void __launch_bounds__((row_threads<Geometry, Pass, MinBlocks>), (row_blocks<Geometry, Pass, MinBlocks>))
    traverse_rows(__grid_constant__ row_traversal<Pass, Index, Offset> const t) {
  int const threads =
      chooses_block<Geometry, Pass> ? static_cast<int>(blockDim.x) : row_threads<Geometry, Pass, MinBlocks>;
  int const groups = threads / Geometry::group_size;
  block_place<may_take_tiles_together<Geometry, Pass>> const place{t.takes_tiles_together};
  int const tile = t.first_tile + place.tile();
  Geometry const geo(t.layout, tile, threadIdx.x % Geometry::group_size);
  using task_type = std::conditional_t<Pass::has_parameter_targets, std::int64_t, task_number<Index>>;
  task_type block = place.number();
  int sub_groups = Shares ? t.sub_groups : 1;
  task_type first = 0;
  auto end = static_cast<task_type>(t.num_tasks);
  if (Shares && t.piece_blocks > 0) {
    auto const piece_blocks = static_cast<task_type>(t.piece_blocks);
    if (block < piece_blocks) {
      sub_groups = t.piece_sub_groups;
      end = static_cast<task_type>(t.schedule.capacity);
    } else {
      block -= piece_blocks;
      first = static_cast<task_type>(t.schedule.capacity);
    }
  }
  int const group = static_cast<int>(threadIdx.x / Geometry::group_size);
  sharing const shared{sub_groups, group & (sub_groups - 1)};
  auto const tasks_a_block = static_cast<task_type>(groups / sub_groups);
  first += block * tasks_a_block + static_cast<task_type>(group / sub_groups);
  typename Pass::template state<Geometry> state;
  with_parameters(t.pass, geo, [&](auto const& launch) {
    if constexpr (Pass::has_parameter_targets) {
      t.pass.start_launch(geo, state);
      std::int64_t const stride = t.wave_blocks * tasks_a_block;
      std::int64_t const all = static_cast<std::int64_t>(gridDim.x) * tasks_a_block;  // of all waves
      std::int64_t const rounds = (t.num_tasks + all - 1) / all;  // the same for all: shuffles meet whole warps
      first += blockIdx.x / t.wave_blocks * (rounds - 1) * stride;
      for (std::int64_t round = 0; round < rounds; ++round) {
        run_task<EdgesInFlight, Shares>(t, launch, tile, shared, first + round * stride, end, state);
      }
      t.pass.finish_launch(launch, state);
    } else {
      run_task<EdgesInFlight, Shares>(t, launch, tile, shared, first, end, state);
    }
  });
  if constexpr (Pass::has_parameter_targets) {
    store_block_sums(geo, state.parameters, t.partials + blockIdx.x * t.partial_bytes, t.adds_partials, t.order);
  }
}

/// The entry kernel that goes by a schedule's view: `start` launches it over the tiles of `grid.y`.
template <class Schedule>
struct entry_of;
template <class RowIndex, class RowOffset>
struct entry_of<cut_rows_view<RowIndex, RowOffset>> {
  template <kernel_policy Policy, bool Shares, class Geometry, class Pass, class Index, class Offset>
  static void start(row_traversal<Pass, Index, Offset> const& t, dim3 grid, int threads, stream_handle stream) {
    launch_kernel(
        "traverse_rows",
        traverse_rows<Policy.edges_in_flight, Policy.blocks_per_multiprocessor, Shares, Geometry, Pass, Index, Offset>,
        block_place<may_take_tiles_together<Geometry, Pass>>{t.takes_tiles_together}.grid_of(grid.x, grid.y), threads,
        stream, t);
  }
};

}  // namespace edgewise::inline v0::detail
