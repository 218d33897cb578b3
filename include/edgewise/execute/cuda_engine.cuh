// The CUDA engine: chooses a geometry for a row's run-time extents and launches the traversal.
#pragma once

#include <cuda_runtime_api.h>

#include <edgewise/execute/device_memory.cuh>
#include <edgewise/execute/engine.hpp>
#include <edgewise/execute/entry.cuh>
#include <edgewise/execute/resources.hpp>
#include <edgewise/execute/scatter_cuda_engine.cuh>
#include <edgewise/execute/split_rows.cuh>
#include <edgewise/tuning/policy.hpp>

namespace edgewise::detail {

template <class Table>
struct demand_of;
template <class... Bound>
struct demand_of<type_list<Bound...>> {
  static constexpr int wide = (0 + ... + (extent_of_kind(Bound::kind) == extent::wide ? 1 : 0));
};

/// Wide rows that a pass keeps in registers.
template <class Pass>
constexpr register_demand find_demand() {
  using tables = typename Pass::tables;
  int const varying = demand_of<typename tables::needed_others>::wide + demand_of<typename tables::needed_edges>::wide;
  int const fixed = demand_of<typename tables::needed_fixed>::wide + demand_of<typename tables::needed_parameters>::wide;
  return {varying, fixed, Pass::wide_states};
}

template <>
struct engine<cuda> {
  template <class Index, class Offset>
  using schedule = split_rows<Index, Offset>;
  /// Blocks of a pass that sums over all edges: fixed, so that its result depends on the graph alone.
  static constexpr std::int64_t num_partials = 528;

  static memory_resource* memory(cuda const& exec) { return exec.memory ? exec.memory : device_memory(); }
  static void clear(cuda const& exec, void* data, std::size_t bytes) {
    check_cuda(cudaMemsetAsync(data, 0, bytes, exec.stream), "plan: clear workspace");
  }
  template <class Index, class Offset>
  static schedule<Index, Offset> make_schedule(cuda const& exec, grouping_view<Index, Offset> const& grouping) {
    return make_split_rows(exec.stream, memory(exec), grouping);
  }

  /// At most eight geometries for each pass; the widths are run-time numbers.
  template <class Pass, class Index, class Offset>
  static void run(cuda const& exec, Pass const& pass, grouping_view<Index, Offset> const& grouping,
                  schedule<Index, Offset> const& schedule, row_extents extents, bool aligned, workspace_view const& workspace) {
    if (grouping.num_rows == 0 && !Pass::has_parameter_targets) return;
    launch_context<Pass, Index, Offset> const c{exec, pass, grouping, schedule, extents, workspace};
    bool const done = run_geometries(c, aligned);
    if (!done) throw_row_too_wide(Pass::need, extents, aligned ? 512 : 128);
  }

private:
  template <class Pass, class Index, class Offset>
  struct launch_context {
    cuda const& exec;
    Pass const& pass;
    grouping_view<Index, Offset> const& grouping;
    split_rows<Index, Offset> const& schedule;
    row_extents extents;
    workspace_view const& workspace;
  };

  template <class Pass, class Index, class Offset>
  static bool run_geometries(launch_context<Pass, Index, Offset> const& c, bool aligned) {
    if constexpr (Pass::need == layout_need::flat) {
      return run_flat(c, aligned);
    } else {
      return run_heads(c, aligned);
    }
  }

  template <class Context>
  static bool run_flat(Context const& c, bool aligned) {
    // Wider rows are cut into tiles of 256 lanes: two tiles of D=512 take 7.5 ms on products, groups that hold all of
    // it 8.1 (H200 2026-11).
    int const elements = c.extents.heads * c.extents.lanes;
    if (!aligned && elements > 8) return launch<cuda_geometry<32, 4, 1>>(c);
    if (!aligned) return launch<cuda_geometry<2, 1, 4, access::element>>(c);
    int const chunks = ceil_div(elements, 4);
    if (chunks <= 2) return launch<cuda_geometry<2, 1, 4>>(c);
    if (chunks <= 4) return launch<cuda_geometry<4, 1, 4>>(c);
    if (chunks <= 8) return launch<cuda_geometry<8, 1, 4>>(c);
    if (chunks <= 16) return launch<cuda_geometry<16, 1, 4>>(c);
    if (chunks <= 32) return launch<cuda_geometry<32, 1, 4>>(c);
    return launch<cuda_geometry<32, 2, 4>>(c);
  }

  template <class Context>
  static bool run_heads(Context const& c, bool aligned) {
    if (!aligned) return launch<cuda_geometry<32, 4, 1, access::chunk, packing::padded>>(c);
    int const chunks_per_head = ceil_div(c.extents.lanes, 4);
    bool const dense = c.extents.heads == 1 || power_of_two_from(chunks_per_head) * 4 == c.extents.lanes;
    if (!dense) return launch<cuda_geometry<32, 4, 4, access::chunk, packing::padded>>(c);
    int const chunks = power_of_two_from(chunks_per_head) * c.extents.heads;
    if (chunks <= 4) return launch<cuda_geometry<4, 1, 4>>(c);
    if (chunks <= 8) return launch<cuda_geometry<8, 1, 4>>(c);
    if (chunks <= 16) return launch<cuda_geometry<16, 1, 4>>(c);
    if (chunks <= 32) return launch<cuda_geometry<32, 1, 4>>(c);
    if (chunks <= 64) return launch<cuda_geometry<32, 2, 4>>(c);
    return launch<cuda_geometry<32, 4, 4>>(c);
  }

  template <class Index, class Offset>
  static std::int64_t mean_degree(grouping_view<Index, Offset> const& grouping) {
    return grouping.num_rows > 0 ? static_cast<std::int64_t>(grouping.num_edges) / static_cast<std::int64_t>(grouping.num_rows) : 0;
  }

  /// False when rows of these extents do not fit groups of this geometry.
  template <class Geometry, class Pass, class Index, class Offset>
  static bool launch(launch_context<Pass, Index, Offset> const& c) {
    constexpr kernel_policy policy =
        choose_policy(Geometry::group_size, Geometry::max_chunks, Geometry::lanes_per_chunk, find_demand<Pass>());
    row_layout const layout =
        make_row_layout(Pass::need, c.extents.heads, c.extents.lanes, Geometry::capacity_chunks, Geometry::lanes_per_chunk, true);
    if (layout.num_tiles == 0) return false;
    row_traversal<Pass, Index, Offset> t{};
    t.pass = c.pass;
    t.grouping = c.grouping;
    t.layout = layout;
    if (walks_edges<Pass>) {
      t.schedule = c.schedule.view();
    } else {
      t.schedule.bound = c.grouping.num_edges;  // nothing to cut where no edges are walked
    }
    t.slots = c.workspace.slots;
    t.slot_bytes = slot_bytes<Pass>(c.extents);
    t.arrivals = c.workspace.arrivals;
    t.num_tasks = static_cast<std::int64_t>(t.schedule.capacity) + c.grouping.num_rows;
    t.partials = c.workspace.partials;
    t.sub_groups = walks_edges<Pass> ? choose_sub_groups(Geometry::group_size, policy.edges_in_flight, mean_degree(c.grouping)) : 1;
    std::int64_t const groups = block_threads / Geometry::group_size / t.sub_groups;
    std::int64_t const blocks = (t.num_tasks + groups - 1) / groups;
    if constexpr (Pass::has_parameter_targets) {
      t.partial_bytes = partial_bytes<Pass>(c.extents);
      start<policy, Geometry>(t, num_partials, c.exec.stream);
      fold_parameters(c, t.partial_bytes);
    } else {
      start<policy, Geometry>(t, blocks, c.exec.stream);
    }
    return true;
  }

  template <kernel_policy Policy, class Geometry, class Pass, class Index, class Offset>
  static void start(row_traversal<Pass, Index, Offset> const& t, std::int64_t blocks, stream_handle stream) {
    dim3 const grid(static_cast<unsigned>(blocks), static_cast<unsigned>(t.layout.num_tiles));
    traverse_rows<Policy.edges_in_flight, Policy.blocks_per_multiprocessor, Geometry, Pass, Index, Offset>
        <<<grid, block_threads, 0, stream>>>(t);
    check_cuda(cudaGetLastError(), "traverse_rows");
  }

  template <class Pass, class Index, class Offset>
  static void fold_parameters(launch_context<Pass, Index, Offset> const& c, std::int64_t bytes) {
    using T = typename Pass::accumulator;
    std::int64_t place = 0;
    fold_each(typename Pass::parameter_targets{}, [&](auto tag) {
      using bound = typename decltype(tag)::type;
      auto const& to = c.pass.gradients.template of<bound>();
      std::int64_t const elements = elements_of_kind(bound::kind, c.extents);
      fold_partials<T><<<static_cast<unsigned>((elements + 31) / 32), dim3(32, 8), 0, c.exec.stream>>>(
          c.workspace.partials, static_cast<int>(num_partials), bytes, place, elements, to.data, to.accumulate);
      check_cuda(cudaGetLastError(), "fold_partials");
      place += (elements * static_cast<std::int64_t>(sizeof(T)) + 15) / 16 * 16;
    });
  }
  template <class... Bound, class F>
  static void fold_each(type_list<Bound...>, F const& f) {
    (f(type_tag<Bound>{}), ...);
  }
};

}  // namespace edgewise::detail
