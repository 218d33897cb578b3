// The kernel of a pass on one geometry: how many registers it may take, and what a launch has to know of it.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <type_traits>

#include <edgewise/core/launch.cuh>
#include <edgewise/core/resources.hpp>
#include <edgewise/engine/cuda/entry.cuh>
#include <edgewise/engine/cuda/fold_parameters.cuh>
#include <edgewise/engine/cuda/geometries.hpp>
#include <edgewise/engine/cuda/queue_entry.cuh>
#include <edgewise/engine/cuda/share_entry.cuh>
#include <edgewise/mapping/policy.hpp>
#include <edgewise/pass/pass_traits.hpp>
#include <edgewise/schedule/device_schedule.cuh>

namespace edgewise::inline v0::detail {

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
  using held = typename Pass::hoisted_registers;
  using read = typename tables::needed_varying;
  using varying = concat_types<read, typename held::varying>;
  using fixed = concat_types<typename tables::needed_fixed, typename tables::needed_parameters, typename held::fixed>;
  register_demand demand{demand_of<varying>::wide, demand_of<fixed>::wide,
                         Pass::wide_states + demand_of<typename held::sums>::wide};
  demand.parameters = demand_of<typename tables::needed_parameters>::wide;
  demand.has_gradients = forms_gradients<Pass>;
  demand.has_bfloat16 = filter_types<is_wide_bfloat16, read>::size > 0;
  if constexpr (Pass::walks_edges) {
    if constexpr (Geometry::scores_of == scores::by_thread) {
      // of a thread's score, and where it stands in its round
      demand.narrow_fixed = Geometry::channels_per_chunk == 8 ? 16 : 8 / Geometry::max_chunks;
    } else if constexpr (any_softmax<typename Pass::aggregation_types>) {
      demand.has_softmax = true;
      demand.narrow_varying = demand_of<varying>::narrow + 2;  // score and weight, or weight and the score's adjoint
      demand.narrow_fixed = demand_of<fixed>::narrow + Pass::narrow_states;
      demand.state -= Pass::narrow_targets;
      if constexpr (requires { Pass::template pulls_open<Geometry>; }) {
        demand.has_open_scores = Pass::template pulls_open<Geometry>;
        // No adjoint of a score is kept for its sum; groups of four chunks per thread would spill for it.
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

/// What a pass under such a split takes its tasks from.
template <class Pass, class Split, class Index, class Offset>
using schedule_view_of = typename device_schedule<Split, Index, Offset>::template view_of<Pass>;
template <class Pass, class Split, class Index, class Offset>
using pass_traversal = traversal<Pass, Index, Offset, schedule_view_of<Pass, Split, Index, Offset>>;

/// What a launch goes by: numbers, so that its code is compiled once for all geometries of a pass (a functor and its
/// gradients have 26).
template <class Pass, class Split, class Index, class Offset>
struct pass_kernel {
  using traversal_type = pass_traversal<Pass, Split, Index, Offset>;
  using starter = void (*)(traversal_type const&, dim3 grid, int threads, stream_handle);

  int group_size;
  int capacity_chunks;
  int channels_per_chunk;
  int edges_in_flight;
  int blocks_per_multiprocessor;
  int threads;         ///< of a block, where the schedule does not choose them
  int summing_blocks;  ///< of a pass that sums over all edges
  bool chooses_block;  ///< does the schedule choose them?
  bool shares_rows;    ///< may groups of a warp share a row?
  starter start;
  starter start_adding;  ///< the tiles of inner products behind the first, each adding to those before; or null
};

template <class Geometry, class Pass, class Split, class Index, class Offset>
constexpr bool shares_rows_of() {
  if constexpr (Pass::walks_edges) {
    return device_schedule<Split, Index, Offset>::shares_rows(Geometry::group_size);
  } else {
    return may_share_rows(Geometry::group_size);
  }
}

template <class Geometry, class Pass, class Split, class Index, class Offset>
constexpr kernel_policy policy_of() {
  constexpr int group = Geometry::group_size;
  constexpr int chunks = Geometry::max_chunks;
  constexpr int channels = Geometry::channels_per_chunk;
  constexpr bool shares = shares_rows_of<Geometry, Pass, Split, Index, Offset>();
  constexpr register_demand demand = find_demand<Pass, Geometry>();
  constexpr bool loops = schedule_view_of<Pass, Split, Index, Offset>::gives_tasks_in_loops;
  constexpr kernel_policy chosen = loops ? choose_loop_policy(group, chunks, channels, demand, shares)
                                         : choose_policy(group, chunks, channels, demand, shares);
  return Pass::has_parameter_targets ? keep_resident(group, chunks * channels, chosen) : chosen;
}

/// The first tile stored its terms of each inner product, those after it add theirs, one after the other.
template <kernel_policy Policy, bool Shares, class Geometry, class Pass, class Index, class Offset, class Schedule>
void start_adding_kernel(traversal<Pass, Index, Offset, Schedule> const& t, dim3 grid, int threads,
                         stream_handle stream) {
  using adding = typename Pass::adding_pass;
  auto later = t.with_pass(adding{{}, t.pass.program, t.pass.operands, t.pass.out, t.pass.out_row_stride});
  for (later.first_tile = 1; later.first_tile < t.layout.num_tiles; ++later.first_tile) {
    entry_of<Schedule>::template start<Policy, Shares, Geometry>(later, grid, threads, stream);
  }
}

/// The kernel of a pass under such a split. HasTiles: may the schedule have rows cut in tiles?
template <class Geometry, bool HasTiles, class Pass, class Split, class Index, class Offset>
pass_kernel<Pass, Split, Index, Offset> kernel_of() {
  using schedule_view = schedule_view_of<Pass, Split, Index, Offset>;
  constexpr bool shares = shares_rows_of<Geometry, Pass, Split, Index, Offset>();
  constexpr kernel_policy policy = policy_of<Geometry, Pass, Split, Index, Offset>();
  constexpr bool loops = schedule_view::gives_tasks_in_loops;
  constexpr int summing_blocks = fixed_blocks(Geometry::group_size, policy);
  static_assert(summing_blocks <= num_parameter_blocks);
  using kernel = pass_kernel<Pass, Split, Index, Offset>;
  typename kernel::starter adding = nullptr;
  if constexpr (HasTiles && takes_dot_tiles<Geometry, Pass>) {
    adding = start_adding_kernel<policy, shares, Geometry, Pass, Index, Offset, schedule_view>;
  }
  return {
      .group_size = Geometry::group_size,
      .capacity_chunks = Geometry::capacity_chunks,
      .channels_per_chunk = Geometry::channels_per_chunk,
      .edges_in_flight = policy.edges_in_flight,
      .blocks_per_multiprocessor = policy.blocks_per_multiprocessor,
      .threads = loops ? threads_of<Geometry> : row_threads<Geometry, Pass, policy.blocks_per_multiprocessor>,
      .summing_blocks = summing_blocks,
      .chooses_block = chooses_block<Geometry, Pass>,
      .shares_rows = shares,
      .start = entry_of<schedule_view>::template start<policy, shares, Geometry, Pass, Index, Offset>,
      .start_adding = adding,
  };
}

}  // namespace edgewise::inline v0::detail
