// Scattering on CUDA devices: chooses a geometry for a row's run-time extents and launches the traversal of the edges.
#pragma once

#include <cuda_runtime_api.h>

#include <edgewise/execute/device_memory.cuh>
#include <edgewise/execute/resources.hpp>
#include <edgewise/execute/scatter_engine.hpp>
#include <edgewise/execute/scatter_entry.cuh>
#include <edgewise/tuning/policy.hpp>

namespace edgewise::detail {

template <class Table>
struct wide_rows;
template <class... Bound>
struct wide_rows<type_list<Bound...>> {
  static constexpr int count = (0 + ... + (extent_of_kind(Bound::kind) == extent::wide ? 1 : 0));
};

/// Wide rows that a pass over ungrouped edges keeps in registers. Operands, gradients and the message vary from edge to
/// edge; ids and addresses of the second endpoint take about as much as one row of state.
template <class Pass>
constexpr register_demand find_scatter_demand() {
  using tables = typename Pass::tables;
  int const operands = wide_rows<typename tables::needed_sources>::count +
                       wide_rows<typename tables::needed_destinations>::count +
                       wide_rows<typename tables::needed_edges>::count;
  int const varying = operands + wide_rows<typename Pass::scattered_targets>::count + 1;
  int const state = wide_rows<typename Pass::parameter_targets>::count + 1;
  return {varying, wide_rows<typename tables::needed_parameters>::count, state};
}

template <>
struct scatter_engine<cuda> {
  /// Blocks of a pass that sums over all edges: fixed, so that its result depends on the graph alone.
  static constexpr std::int64_t num_partials = 528;
  /// Edges a group takes: enough blocks of edges to pay for setting up the group, few enough for small graphs to fill a
  /// device.
  static constexpr int edges_per_group = 32;

  template <class T, operand_kind Kind>
  static void clear_rows(cuda const& exec, operand_view<T, Kind> const& view) {
    if (view.rows == 0) return;
    std::size_t const width = static_cast<std::size_t>(view.row_size()) * sizeof(T);
    std::size_t const pitch = view.rows > 1 ? static_cast<std::size_t>(view.row_stride) * sizeof(T) : width;
    auto const rows = static_cast<std::size_t>(view.rows);
    if (pitch == width) {
      check_cuda(cudaMemsetAsync(view.data, 0, rows * width, exec.stream), "scatter: clear rows");
    } else {
      check_cuda(cudaMemset2DAsync(view.data, pitch, 0, width, rows, exec.stream), "scatter: clear rows");
    }
  }

  template <class Body>
  static void for_each_element(cuda const& exec, Body const& body, std::int64_t count) {
    if (count == 0) return;
    auto const blocks = static_cast<unsigned>((count + block_threads - 1) / block_threads);
    visit_elements<<<blocks, block_threads, 0, exec.stream>>>(body, count);
    check_cuda(cudaGetLastError(), "visit_elements");
  }

  /// At most four geometries for each pass; the widths are run-time numbers.
  template <class Pass, class Index, class Offset>
  static void run(cuda const& exec, Pass const& pass, coo_view<Index, Offset> const& coo, row_extents extents,
                  bool aligned, workspace_view const& workspace) {
    if (coo.num_edges == 0 && !Pass::has_parameter_targets) return;
    launch_context<Pass, Index, Offset> const c{exec, pass, coo, extents, workspace};
    bool done = false;
    if constexpr (Pass::need == layout_need::flat) {
      done = run_flat(c, aligned);
    } else {
      done = run_heads(c, aligned);
    }
    if (!done) throw_row_too_wide(Pass::need, extents, aligned ? 512 : 128);
  }

private:
  template <class Pass, class Index, class Offset>
  struct launch_context {
    cuda const& exec;
    Pass const& pass;
    coo_view<Index, Offset> const& coo;
    row_extents extents;
    workspace_view const& workspace;
  };

  template <class Context>
  static bool run_flat(Context const& c, bool aligned) {
    int const elements = c.extents.heads * c.extents.lanes;
    if (elements <= 8) return launch<cuda_geometry<2, 1, 4, access::element>>(c);
    if (!aligned) return launch<cuda_geometry<32, 4, 1>>(c);
    if (elements <= 32) return launch<cuda_geometry<8, 1, 4>>(c);
    return launch<cuda_geometry<16, 2, 4>>(c);  // wider rows are cut into tiles of 128 lanes
  }

  template <class Context>
  static bool run_heads(Context const& c, bool aligned) {
    if (!aligned) return launch<cuda_geometry<32, 4, 1, access::chunk, packing::padded>>(c);
    int const chunks_per_head = power_of_two_from(ceil_div(c.extents.lanes, 4));
    bool const dense = c.extents.heads == 1 || chunks_per_head * 4 == c.extents.lanes;
    int const chunks = chunks_per_head * c.extents.heads;
    if (!dense || chunks > 32) return launch<cuda_geometry<32, 4, 4, access::chunk, packing::padded>>(c);
    if (chunks <= 4) return launch<cuda_geometry<4, 1, 4>>(c);
    return launch<cuda_geometry<16, 2, 4>>(c);
  }

  /// False when rows of these extents do not fit groups of this geometry.
  template <class Geometry, class Pass, class Index, class Offset>
  static bool launch(launch_context<Pass, Index, Offset> const& c) {
    constexpr kernel_policy policy = choose_policy(Geometry::group_size, Geometry::max_chunks,
                                                   Geometry::lanes_per_chunk, find_scatter_demand<Pass>());
    row_layout const layout = make_row_layout(Pass::need, c.extents.heads, c.extents.lanes, Geometry::capacity_chunks,
                                              Geometry::lanes_per_chunk, true);
    if (layout.num_tiles == 0) return false;
    constexpr std::int64_t groups = block_threads / Geometry::group_size;
    coo_traversal<Pass, Index, Offset> t{};
    t.pass = c.pass;
    t.coo = c.coo;
    t.layout = layout;
    std::int64_t blocks = num_partials;
    if constexpr (Pass::has_parameter_targets) {
      t.share = share_length(c.coo.num_edges, num_partials * groups);
      t.partials = c.workspace.partials;
      t.partial_bytes = partial_bytes<Pass>(c.extents);
    } else {
      t.share = static_cast<Offset>(edges_per_group);
      std::int64_t const edges_per_block = edges_per_group * groups;
      blocks = (static_cast<std::int64_t>(c.coo.num_edges) + edges_per_block - 1) / edges_per_block;
    }
    dim3 const grid(static_cast<unsigned>(blocks), static_cast<unsigned>(layout.num_tiles));
    traverse_coo<policy.edges_in_flight, policy.blocks_per_multiprocessor, Geometry, Pass, Index, Offset>
        <<<grid, block_threads, 0, c.exec.stream>>>(t);
    check_cuda(cudaGetLastError(), "traverse_coo");
    if constexpr (Pass::has_parameter_targets) fold_parameters(c, t.partial_bytes);
    return true;
  }

  template <class Pass, class Index, class Offset>
  static void fold_parameters(launch_context<Pass, Index, Offset> const& c, std::int64_t bytes) {
    using T = typename Pass::accumulator;
    std::int64_t place = 0;
    [&]<class... Bound>(type_list<Bound...>) {
      ((place += fold_one<T, Bound>(c, bytes, place)), ...);
    }(typename Pass::parameter_targets{});
  }
  /// Returns the bytes that the parameter takes in a block's sums.
  template <class T, class Bound, class Context>
  static std::int64_t fold_one(Context const& c, std::int64_t bytes, std::int64_t place) {
    auto const& to = c.pass.gradients.template of<Bound>();
    std::int64_t const elements = elements_of_kind(Bound::kind, c.extents);
    fold_partials<T><<<static_cast<unsigned>((elements + 31) / 32), dim3(32, 8), 0, c.exec.stream>>>(
        c.workspace.partials, static_cast<int>(num_partials), bytes, place, elements, to.data, to.accumulate);
    check_cuda(cudaGetLastError(), "fold_partials");
    return sums_bytes<T>(type_list<Bound>{}, c.extents);
  }
};

}  // namespace edgewise::detail
