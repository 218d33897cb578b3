// Scattering on CUDA devices: chooses a geometry for a row's run-time extents and launches the traversal of the edges.
#pragma once

#include <cuda_runtime_api.h>

#include <edgewise/core/device_memory.cuh>
#include <edgewise/core/extents.hpp>
#include <edgewise/core/launch.cuh>
#include <edgewise/core/resources.hpp>
#include <edgewise/engine/concept.hpp>
#include <edgewise/engine/coo_concept.hpp>
#include <edgewise/engine/cuda/coo_entry.cuh>
#include <edgewise/engine/cuda/fold_parameters.cuh>
#include <edgewise/engine/cuda/geometries.hpp>
#include <edgewise/engine/tiles.hpp>
#include <edgewise/mapping/policy.hpp>
#include <edgewise/pass/pass_sizes.hpp>

namespace edgewise::inline v0::detail {

template <class Table>
struct wide_rows;
template <class... Bound>
struct wide_rows<type_list<Bound...>> {
  static constexpr int count = (0 + ... + (extent_of_kind(Bound::kind) == extent::wide ? 1 : 0));
};

/// Wide rows that a pass over ungrouped edges keeps in registers. Operands, gradients and the message vary from edge to
/// edge; ids and addresses of the second endpoint take about as much as one row of state.
template <class Pass>
constexpr register_demand find_coo_demand() {
  using tables = typename Pass::tables;
  int const operands = wide_rows<typename tables::needed_sources>::count +
                       wide_rows<typename tables::needed_destinations>::count +
                       wide_rows<typename tables::needed_edges>::count;
  int const varying = operands + wide_rows<typename Pass::scattered_targets>::count + 1;
  int const state = wide_rows<typename Pass::parameter_targets>::count + 1;
  return {varying, wide_rows<typename tables::needed_parameters>::count, state};
}

/// A pass over rows of one channel per head.
template <class Pass>
concept names_channels = requires {
  Pass::has_channels;
};
template <class Pass>
inline constexpr bool has_no_channels = false;
template <names_channels Pass>
inline constexpr bool has_no_channels<Pass> = !Pass::has_channels;

template <>
struct coo_engine<cuda> {
  static constexpr std::int64_t num_partials = num_parameter_blocks;
  /// Edges a group takes: enough blocks of edges to pay for setting up the group, few enough for small graphs to fill a
  /// device.
  static constexpr int edges_per_group = 32;

  template <class View>
  static void clear_rows(cuda const& exec, View const& view) {
    using T = typename View::value_type;
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
    unsigned const blocks = launch_blocks((count + block_threads - 1) / block_threads);
    launch_kernel("visit_elements", visit_elements<Body>, blocks, block_threads, exec.stream, body, count);
  }

  /// Throws `invalid_argument` where no group holds what the pass has to sum over.
  template <class Pass>
  static void check_width(row_extents extents, int chunk) {
    bool const fits = choose_geometry<Pass>(extents, chunk, [&]<class Geometry>(type_tag<Geometry>) {
      return lay_out_on_device<Pass, Geometry>(extents).layout.num_tiles > 0;
    });
    if (!fits) throw_row_too_wide(Pass::need, extents, widest_group);
  }

  /// Runs a pass over rows that `check_width` lets pass.
  template <class Pass, class Index, class Offset>
  static void run(cuda const& exec, Pass const& pass, coo_view<Index, Offset> const& coo, row_extents extents,
                  int chunk, workspace_view const& workspace) {
    if (coo.num_edges == 0) {
      if constexpr (Pass::has_parameter_targets) fold_parameters(exec.stream, pass, extents, nullptr, 0);
      return;
    }
    launch_context<Pass, Index, Offset> const c{exec, pass, coo, extents, workspace};
    choose_geometry<Pass>(extents, chunk, [&]<class Geometry>(type_tag<Geometry>) {
      launch<Geometry>(c);
      return true;
    });
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

  /// Calls f(type_tag<Geometry>) for the one geometry of these rows: at most five for each pass, the widths are
  /// run-time numbers.
  template <class Pass, class F>
  static bool choose_geometry(row_extents extents, int chunk, F const& f) {
    if constexpr (has_no_channels<Pass>) {
      if constexpr (!has_few_geometries) {
        if (extents.heads <= 1) return f(type_tag<cuda_geometry<1, 1, 1>>{});
        if (extents.heads <= 4) return f(type_tag<cuda_geometry<4, 1, 1>>{});
        if (extents.heads <= 8) return f(type_tag<cuda_geometry<8, 1, 1>>{});
      }
      return f(type_tag<cuda_geometry<32, 4, 1, access::chunk, packing::padded>>{});
    } else if constexpr (has_few_geometries) {
      return choose_among_few<Pass>(extents, f);
    } else if constexpr (Pass::need == layout_need::flat) {
      return choose_flat(extents, chunk, f);
    } else if constexpr (Pass::sums_inside) {
      using largest = cuda_geometry<512, 8, 4, access::element, packing::padded>;
      auto const holds = [&]<class Geometry>(type_tag<Geometry>) {
        return lay_out_on_device<Pass, Geometry>(extents).layout.num_tiles > 0;
      };
      if (choose_heads(extents, chunk, holds)) return choose_heads(extents, chunk, f);
      return f(type_tag<largest>{});  // a whole block for what no warp holds and the pass goes on with
    } else {
      return choose_heads(extents, chunk, f);
    }
  }

  template <class F>
  static bool choose_flat(row_extents extents, int chunk, F const& f) {
    int const elements = extents.heads * extents.channels;
    if (elements <= 8) return f(type_tag<cuda_geometry<2, 1, 4, access::element>>{});
    if (chunk < 4) return f(type_tag<cuda_geometry<16, 6, 1>>{});
    if (elements <= 32) return f(type_tag<cuda_geometry<8, 1, 4>>{});
    return f(type_tag<cuda_geometry<16, 2, 4>>{});  // wider rows are cut into tiles of 128 channels
  }

  template <class F>
  static bool choose_heads(row_extents extents, int chunk, F const& f) {
    if (chunk < 4) return f(type_tag<cuda_geometry<32, 4, 1, access::chunk, packing::padded>>{});
    int const chunks_per_head = power_of_two_from(ceil_div(extents.channels, 4));
    bool const dense = extents.heads == 1 || chunks_per_head * 4 == extents.channels;
    int const chunks = chunks_per_head * extents.heads;
    if (!dense || chunks > 32) return f(type_tag<cuda_geometry<32, 4, 4, access::chunk, packing::padded>>{});
    if (chunks <= 4) return f(type_tag<cuda_geometry<4, 1, 4>>{});
    return f(type_tag<cuda_geometry<16, 2, 4>>{});
  }

  template <class Geometry, class Pass, class Index, class Offset>
  static void launch(launch_context<Pass, Index, Offset> const& c) {
    constexpr kernel_policy policy =
        choose_policy(Geometry::group_size, Geometry::max_chunks, Geometry::channels_per_chunk, find_coo_demand<Pass>(),
                      may_share_rows(Geometry::group_size));
    constexpr std::int64_t groups = threads_of<Geometry> / Geometry::group_size;
    tiled_rows const rows = lay_out_on_device<Pass, Geometry>(c.extents);
    coo_traversal<Pass, Index, Offset> t{};
    t.pass = c.pass;
    t.coo = c.coo;
    t.layout = rows.layout;
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
    start_tiles(t, rows.adds_tiles, [&](auto const& traversal, int tiles) {
      dim3 const grid(launch_blocks(blocks), static_cast<unsigned>(tiles));
      launch_kernel(
          "traverse_coo",
          traverse_coo<policy.edges_in_flight, policy.blocks_per_multiprocessor, Geometry, Pass, Index, Offset>, grid,
          threads_of<Geometry>, c.exec.stream, traversal);
    });
    if constexpr (Pass::has_parameter_targets) {
      fold_parameters(c.exec.stream, c.pass, c.extents, t.partials, num_partials);
    }
  }
};

}  // namespace edgewise::inline v0::detail
