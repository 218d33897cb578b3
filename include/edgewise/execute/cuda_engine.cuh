// The CUDA engine: chooses a geometry for a row's run-time extents and launches the traversal.
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <cstddef>

#include <edgewise/execute/cuda_geometries.hpp>
#include <edgewise/execute/device_memory.cuh>
#include <edgewise/execute/device_schedule.cuh>
#include <edgewise/execute/engine.hpp>
#include <edgewise/execute/entry.cuh>
#include <edgewise/execute/fold_parameters.cuh>
#include <edgewise/execute/picked_cuda_engine.cuh>
#include <edgewise/execute/queue_entry.cuh>
#include <edgewise/execute/read_degrees.cuh>
#include <edgewise/execute/resources.hpp>
#include <edgewise/execute/scatter_cuda_engine.cuh>
#include <edgewise/execute/share_entry.cuh>
#include <edgewise/execute/tiles.hpp>
#include <edgewise/tuning/policy.hpp>

namespace edgewise::detail {

template <class Table>
struct demand_of;
template <class... Bound>
struct demand_of<type_list<Bound...>> {
  static constexpr int wide = (0 + ... + (extent_of_kind(Bound::kind) == extent::wide ? 1 : 0));
  static constexpr int narrow = static_cast<int>(sizeof...(Bound)) - wide;
};

template <class Bound>
struct is_wide_bfloat16 : std::bool_constant<extent_of_kind(Bound::kind) == extent::wide &&
                                             std::is_same_v<std::remove_const_t<typename Bound::storage>, bfloat16>> {};

template <class Bound>
struct is_per_head : std::bool_constant<Bound::kind == operand_kind::per_head> {};

/// What a pass keeps in registers.
template <class Pass, class Geometry>
constexpr register_demand find_demand() {
  using tables = typename Pass::tables;
  using held = typename Pass::held_registers;
  using read = concat_types<typename tables::needed_others, typename tables::needed_edges>;
  using varying = concat_types<read, typename held::varying>;
  using fixed = concat_types<typename tables::needed_fixed, typename tables::needed_parameters, typename held::fixed>;
  register_demand demand{demand_of<varying>::wide, demand_of<fixed>::wide,
                         Pass::wide_states + demand_of<typename held::sums>::wide};
  demand.parameters = demand_of<typename tables::needed_parameters>::wide;
  demand.has_gradients = forms_gradients<Pass>;
  demand.has_bfloat16 = filter_types<is_wide_bfloat16, read>::size > 0;
  if constexpr (walks_edges<Pass>) {
    if constexpr (Geometry::scores_of == scores::dealt) {
      // of a thread's score, and where it stands in its round
      demand.narrow_fixed = Geometry::lanes_per_chunk == 8 ? 16 : 8 / Geometry::max_chunks;
    } else if constexpr (any_softmax<typename Pass::unit_types>) {
      demand.has_softmax = true;
      demand.narrow_varying = demand_of<varying>::narrow + 2;  // score and weight, or weight and the score's adjoint
      demand.narrow_fixed = demand_of<fixed>::narrow + Pass::narrow_states;
      demand.state -= Pass::narrow_targets;
      if constexpr (requires { Pass::template pulls_open<Geometry>; }) {
        demand.has_open_scores = Pass::template pulls_open<Geometry>;
        // No adjoint of a score is kept for its sum; groups of four chunks a thread would spill for it.
        if (demand.has_open_scores && Geometry::max_chunks <= 2) --demand.narrow_varying;
      }
    } else {
      constexpr int heads_read = filter_types<is_per_head, varying>::size;
      demand.has_edge_sums = heads_read > 0 || Pass::sums_inside || Pass::has_edge_sums;
      demand.narrow_varying = 2 * heads_read + (Pass::sums_inside ? 1 : 0);  // and the address of what is read
    }
  }
  return demand;
}

template <>
struct engine<cuda> {
  template <class Deal, class Index, class Offset>
  using schedule = device_schedule<Deal, Index, Offset>;
  static constexpr std::int64_t num_partials = num_parameter_blocks;

  static memory_resource* memory(cuda const& exec) { return exec.memory ? exec.memory : device_memory(); }
  static void clear(cuda const& exec, void* data, std::size_t bytes) {
    check_cuda(cudaMemsetAsync(data, 0, bytes, exec.stream), "plan: clear workspace");
  }
  template <class Deal, class Index, class Offset>
  static schedule<Deal, Index, Offset> make_schedule(cuda const& exec, Deal deal,
                                                     grouping_view<Index, Offset> const& grouping, sizing size,
                                                     std::int64_t most_slots, std::int64_t num_pieces) {
    return {exec.stream, memory(exec), deal, grouping, size, most_slots, num_pieces};
  }
  static constexpr bool cuts_rows = true;
  /// Of the current device.
  static int multiprocessors() {
    int device = 0;
    int count = 0;
    check_cuda(cudaGetDevice(&device), "launch: which device");
    check_cuda(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device), "launch: multiprocessors");
    return count;
  }
  /// Of the level-2 cache.
  static std::int64_t cache_bytes() {
    int device = 0;
    int bytes = 0;
    check_cuda(cudaGetDevice(&device), "plan: which device");
    check_cuda(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device), "plan: size of the cache");
    return bytes;
  }
  /// Waits for the stream.
  template <std::size_t N, class Index, class Offset>
  static std::array<degree_histogram, N> read_degrees(cuda const& exec,
                                                      std::array<sized_grouping<Index, Offset>, N> const& groupings) {
    return detail::read_degrees(exec.stream, memory(exec), groupings);
  }
  template <class Deal, class Index, class Offset>
  static void rebuild(cuda const& exec, device_schedule<Deal, Index, Offset>& schedule,
                      grouping_view<Index, Offset> const& grouping) {
    schedule.rebuild(exec.stream, grouping);
  }

  template <class Pass, class Extents>
  static group_kinds groups_of(row_extents extents, int chunk) {
    group_kinds kinds;
    choose_geometry<Pass, Extents>(extents, chunk, [&]<class Geometry>(type_tag<Geometry>) {
      if (Geometry::group_size <= 2) kinds.narrow = Geometry::group_size;
      return true;
    });
    if constexpr (has_half_groups<Pass, Extents>) {
      kinds.half = find_half_group(Pass::need, extents, chunk, chunk_of_pass<Pass>);
      kinds.has_softmax = any_softmax<typename Pass::unit_types>;
    }
    return kinds;
  }

  /// Throws `invalid_argument` where no group holds what the pass has to sum over.
  template <class Pass, class Extents = any_extents>
  static void check_width(row_extents extents, int chunk) {
    bool const fits = choose_geometry<Pass, Extents>(extents, chunk, [&]<class Geometry>(type_tag<Geometry>) {
      return lay_out_on_device<Pass, Geometry>(extents).layout.num_tiles > 0;
    });
    if (!fits) throw_row_too_wide(Pass::need, extents, widest_group);
  }

  /// For rows that `check_width` lets pass.
  template <class Extents = any_extents, class Pass, class Deal, class Index, class Offset>
  static void run(cuda const& exec, Pass const& pass, grouping_view<Index, Offset> const& grouping,
                  device_schedule<Deal, Index, Offset> const& schedule, row_extents extents, int chunk,
                  workspace_view const& workspace) {
    if (grouping.num_rows == 0) {  // nothing to walk, and operands without rows may be null
      if constexpr (Pass::has_parameter_targets) fold_parameters(exec.stream, pass, extents, nullptr, 0);
      return;
    }
    constexpr bool has_tiles = std::is_same_v<Deal, row_pieces> && walks_edges<Pass> && !is_static_extents<Extents>;
    launch_context<has_tiles, Pass, Deal, Index, Offset> c{exec, pass, grouping, schedule, extents, workspace};
    row_extents grouped = extents;  // what a group takes at a time
    if constexpr (has_tiles) {
      std::int64_t const tile = tile_of<Pass>(schedule);
      c.is_tiled = chunk >= 4 && may_take_tiles<Pass>(extents) && takes_tiles(tile, extents);
      if (c.is_tiled) grouped = {.heads = 1, .lanes = static_cast<int>(tile)};
    }
    auto const launch_on = [&]<class Geometry>(type_tag<Geometry>) {
      launch<Geometry>(c);
      return true;
    };
    if constexpr (std::is_same_v<Deal, row_pieces> && may_halve_groups<Pass, Extents>) {
      bool const folds_well = schedule.num_slots == 0 || !folds_slowly<Pass>(extents, grouped);
      bool const halves = schedule.threads == group_threads::half && !(adds_up_tiles<Pass> && c.is_tiled);
      if (halves && folds_well && choose_half_geometry<Pass>(grouped, chunk, launch_on)) return;
    }
    if constexpr (may_deal_scores<Pass>) {
      if (choose_dealing_geometry<Pass, Extents>(choose_dealt_group<Pass>(grouping, grouped, chunk), launch_on)) return;
    }
    choose_geometry<Pass, Extents>(grouped, chunk, launch_on);
  }

private:
  /// The group that is to deal the scores of rows, 0 where each thread computes those of its chunks.
  template <class Pass, class Index, class Offset>
  static int choose_dealt_group(grouping_view<Index, Offset> const& grouping, row_extents extents, int chunk) {
    int const group = find_dealt_group(Pass::need, Pass::has_scores_by_head, extents, chunk, chunk_of_pass<Pass>);
    if (group == 0) return 0;
    auto const rows = static_cast<double>(grouping.num_rows);
    std::int64_t const whole = std::int64_t{extents.heads} * extents.lanes;
    std::int64_t const held = std::int64_t{group} * chunk_of_pass<Pass>;  // wider rows go tile by tile
    std::int64_t const bytes = std::int64_t{grouping.num_neighbors} * (whole < held ? whole : held) *
                               static_cast<std::int64_t>(sizeof(typename Pass::accumulator));
    return pays_to_deal(group, static_cast<double>(grouping.num_edges) / rows, bytes, cache_bytes()) ? group : 0;
  }

  template <bool HasTiles, class Pass, class Deal, class Index, class Offset>
  struct launch_context {
    cuda const& exec;
    Pass const& pass;
    grouping_view<Index, Offset> const& grouping;
    device_schedule<Deal, Index, Offset> const& schedule;
    row_extents extents;
    workspace_view const& workspace;
    bool is_tiled = false;
  };

  /// A pass that walks no edges takes rows one by one, with the same kernel for every mapping.
  /// Cold: one for each geometry, run once a launch, for the host's compiler to keep small.
  template <class Geometry, bool HasTiles, class Pass, class Deal, class Index, class Offset>
  [[gnu::cold]] static void launch(launch_context<HasTiles, Pass, Deal, Index, Offset> const& c) {
    constexpr bool has_contractions = HasTiles && takes_contractions<Geometry, Pass>;
    constexpr bool by_shares = walks_edges<Pass> && std::is_same_v<Deal, edge_shares>;
    constexpr bool from_queue = walks_edges<Pass> && std::is_same_v<Deal, queued_rows> && !Pass::has_parameter_targets;
    constexpr bool shares_rows = walks_edges<Pass>
                                     ? device_schedule<Deal, Index, Offset>::shares_rows(Geometry::group_size)
                                     : may_share_rows(Geometry::group_size);
    constexpr kernel_policy chosen =
        by_shares || from_queue
            ? choose_loop_policy(Geometry::group_size, Geometry::max_chunks, Geometry::lanes_per_chunk,
                                 find_demand<Pass, Geometry>(), shares_rows)
            : choose_policy(Geometry::group_size, Geometry::max_chunks, Geometry::lanes_per_chunk,
                            find_demand<Pass, Geometry>(), shares_rows);
    constexpr kernel_policy policy =
        Pass::has_parameter_targets
            ? keep_resident(Geometry::group_size, Geometry::max_chunks * Geometry::lanes_per_chunk, chosen)
            : chosen;
    constexpr std::int64_t summing_blocks = fixed_blocks(Geometry::group_size, policy);
    static_assert(summing_blocks <= num_partials);
    tiled_rows const rows = has_contractions && c.is_tiled ? cut_on_device<Geometry>(c.extents)
                                                           : lay_out_on_device<Pass, Geometry>(c.extents);
    using rows_view = std::conditional_t<from_queue, queued_rows_view<Index, Offset>, split_rows_view<Index, Offset>>;
    using schedule_view = std::conditional_t<by_shares, edge_shares_view<Index>, rows_view>;
    traversal<Pass, Index, Offset, schedule_view> t{};
    t.pass = c.pass;
    t.grouping = c.grouping;
    t.layout = rows.layout;
    t.sub_groups = 1;
    if constexpr (walks_edges<Pass> && !by_shares) {
      if (shares_rows)
        t.sub_groups = c.schedule.choose_sub_groups(Geometry::group_size, policy.edges_in_flight, size_of(c.grouping));
    }
    t.slots = c.workspace.slots;
    t.slot_bytes = slot_bytes<Pass>(c.extents);
    t.arrivals = c.workspace.arrivals;
    t.partials = c.workspace.partials;
    t.partial_bytes = partial_bytes<Pass>(c.extents);
    int threads =
        by_shares || from_queue ? threads_of<Geometry> : row_threads<Geometry, Pass, policy.blocks_per_multiprocessor>;
    if constexpr (!by_shares && !from_queue && chooses_block<Geometry, Pass>) {
      threads = c.schedule.choose_block_threads(Geometry::group_size, policy.blocks_per_multiprocessor);
    }
    constexpr bool may_deal_pieces =
        shares_rows && walks_edges<Pass> && std::is_same_v<Deal, row_pieces> && !Pass::has_parameter_targets;
    if constexpr (may_deal_pieces) {
      t.piece_sub_groups = c.schedule.choose_piece_sub_groups(Geometry::group_size, policy.edges_in_flight);
    }
    int const groups = threads / Geometry::group_size;
    int const num_parts = walks_edges<Pass> ? c.schedule.num_parts(c.is_tiled) : 1;
    for (int part = 0; part < num_parts; ++part) {
      if constexpr (by_shares) {
        t.schedule = c.schedule.view();
        t.num_tasks = t.schedule.num_shares;
      } else {
        if constexpr (walks_edges<Pass>) {
          t.schedule = c.schedule.view(part, c.is_tiled);
          if (Pass::has_parameter_targets) {
            t.schedule.order = nullptr;  // the order of a sum over all edges would change its bits
            t.schedule.tasks = nullptr;
          }
        } else {
          t.schedule.bound = c.grouping.num_edges;  // nothing to cut where no edges are walked
        }
        bool const takes_rows = part + 1 == num_parts;
        t.num_tasks = std::int64_t{t.schedule.capacity} + (takes_rows ? std::int64_t{c.grouping.num_rows} : 0);
      }
      t.adds_partials = part > 0;
      std::int64_t blocks =
          Pass::has_parameter_targets ? summing_blocks : blocks_for(t.num_tasks, groups / t.sub_groups);
      if constexpr (may_deal_pieces) blocks = deal_pieces(t, groups);
      if (blocks == 0) continue;
      if constexpr (from_queue) {
        std::int64_t const resident =
            std::int64_t{multiprocessors()} * (Geometry::is_block_wide ? 4 : policy.blocks_per_multiprocessor);
        blocks = blocks < resident ? blocks : resident;
      }
      auto const start_some = [&](auto const& some, int tiles) {
        start<policy, shares_rows, Geometry>(some, {static_cast<unsigned>(blocks), static_cast<unsigned>(tiles)},
                                             threads, c.exec.stream);
      };
      if constexpr (has_contractions) {
        if (c.is_tiled) {
          start_contraction(t, start_some);
          continue;
        }
      }
      start_tiles(t, rows.adds_tiles, start_some);
    }
    if constexpr (Pass::has_parameter_targets) {
      fold_parameters(c.exec.stream, c.pass, c.extents, t.partials, summing_blocks);
    }
  }

  static std::int64_t blocks_for(std::int64_t tasks, int tasks_a_block) {
    return (tasks + tasks_a_block - 1) / tasks_a_block;
  }
  /// Pieces get blocks of their own where more groups share one than share a row. Returns the blocks of the launch.
  template <class Traversal>
  static std::int64_t deal_pieces(Traversal& t, int groups) {
    std::int64_t const pieces = t.piece_sub_groups > t.sub_groups ? t.schedule.capacity : 0;
    t.piece_blocks = pieces > 0 ? blocks_for(pieces, groups / t.piece_sub_groups) : 0;
    return t.piece_blocks + blocks_for(t.num_tasks - pieces, groups / t.sub_groups);
  }

  /// The first tile stores its terms of each inner product, those after it add theirs, one after the other.
  template <class Pass, class Index, class Offset, class Schedule, class Start>
  static void start_contraction(traversal<Pass, Index, Offset, Schedule> const& t, Start const& start_some) {
    start_some(t, 1);
    auto later =
        t.with_pass(typename Pass::adding_pass{t.pass.program, t.pass.operands, t.pass.out, t.pass.out_row_stride});
    for (later.first_tile = 1; later.first_tile < t.layout.num_tiles; ++later.first_tile) start_some(later, 1);
  }

  template <kernel_policy Policy, bool Shares, class Geometry, class Pass, class Index, class Offset, class Schedule>
  static void start(traversal<Pass, Index, Offset, Schedule> const& t, dim3 grid, int threads, stream_handle stream) {
    if constexpr (std::is_same_v<Schedule, edge_shares_view<Index>>) {
      traverse_shares<Policy.edges_in_flight, Policy.blocks_per_multiprocessor, Geometry, Pass, Index, Offset>
          <<<grid, threads, 0, stream>>>(t);
      check_cuda(cudaGetLastError(), "traverse_shares");
    } else if constexpr (std::is_same_v<Schedule, queued_rows_view<Index, Offset>>) {
      auto some = t;
      for (int first = 0; first < static_cast<int>(grid.y); first += most_queues) {
        unsigned const tiles = grid.y - first < most_queues ? grid.y - first : most_queues;
        some.first_tile = t.first_tile + first;
        traverse_queue<Policy.edges_in_flight, Policy.blocks_per_multiprocessor, Shares, Geometry, Pass, Index, Offset>
            <<<dim3{grid.x, tiles}, threads, 0, stream>>>(some);
        check_cuda(cudaGetLastError(), "traverse_queue");
      }
    } else {
      traverse_rows<Policy.edges_in_flight, Policy.blocks_per_multiprocessor, Shares, Geometry, Pass, Index, Offset>
          <<<grid, threads, 0, stream>>>(t);
      check_cuda(cudaGetLastError(), "traverse_rows");
    }
  }
};

}  // namespace edgewise::detail
