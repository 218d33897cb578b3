// The CPU engine: rows dealt to threads, each row walked by the same passes as on the GPU.
#pragma once

#include <cstdint>

#include <edgewise/core/memory.hpp>
#include <edgewise/execute/cpu_threads.hpp>
#include <edgewise/execute/engine.hpp>
#include <edgewise/execute/resources.hpp>
#include <edgewise/execute/scatter_cpu_engine.hpp>
#include <edgewise/execute/tiles.hpp>
#include <edgewise/kernel/host_geometry.hpp>
#include <edgewise/kernel/slots.hpp>
#include <edgewise/kernel/traverse.hpp>

namespace edgewise::detail {

/// Rows stay whole on the CPU: there is nothing to build.
template <>
struct engine<cpu> {
  static constexpr int lanes_per_chunk = 16;
  /// Rows are cut into this many ranges for sums over all edges, whatever the number of threads: same bits always.
  static constexpr int num_ranges = 64;

  template <class Index, class Offset>
  struct schedule {
    std::size_t num_slots = 0;
  };
  template <class Index, class Offset>
  static schedule<Index, Offset> make_schedule(cpu const&, grouping_view<Index, Offset> const&) {
    return {};
  }
  /// Partial sums of parameters that one pass may need at most.
  static constexpr std::int64_t num_partials = num_ranges;

  static memory_resource* memory(cpu const& exec) { return exec.memory; }
  static void clear(cpu const&, void* data, std::size_t bytes) { std::memset(data, 0, bytes); }

  /// Throws `invalid_argument` where no geometry holds what the pass has to sum over.
  template <class Pass>
  static void check_width(row_extents extents, bool) {
    if (lay_out<Pass>(extents, 1024, lanes_per_chunk, false).layout.num_tiles == 0) {
      throw_row_too_wide(Pass::need, extents, 1024 * lanes_per_chunk);
    }
  }

  /// For rows that `check_width` lets pass.
  template <class Pass, class Index, class Offset>
  static void run(cpu const& exec, Pass const& pass, grouping_view<Index, Offset> const& grouping, schedule<Index, Offset> const&,
                  row_extents extents, bool, workspace_view const& workspace) {
    constexpr layout_need need = Pass::need;
    // Short rows use a small geometry; long ones are cut into tiles unless lanes are summed.
    row_layout const small = make_row_layout(need, extents.heads, extents.lanes, 4, lanes_per_chunk, false);
    if (small.num_tiles == 1)
      return run_layout<host_geometry<4, lanes_per_chunk>>(exec, pass, grouping, extents, small, workspace);
    row_layout const medium = make_row_layout(need, extents.heads, extents.lanes, 64, lanes_per_chunk, false);
    if (medium.num_tiles > 0)
      return run_layout<host_geometry<64, lanes_per_chunk>>(exec, pass, grouping, extents, medium, workspace);
    tiled_rows const large = lay_out<Pass>(extents, 1024, lanes_per_chunk, false);
    run_layout<host_geometry<1024, lanes_per_chunk>>(exec, pass, grouping, extents, large.layout, workspace, large.adds_tiles);
  }

private:
  template <class Geometry, class Pass, class Index, class Offset>
  static void run_layout(cpu const& exec, Pass const& all, grouping_view<Index, Offset> const& grouping,
                         row_extents extents, row_layout const& layout, workspace_view const& workspace,
                         bool adds_tiles = false) {
    for (int tile = 0; tile < layout.num_tiles; ++tile) {
      Geometry const geo(layout, tile);
      tile_order const order = adds_tiles ? order_of(layout, tile) : tile_order{};
      Pass const pass = after_earlier_tiles(all, order);
      if constexpr (Pass::has_parameter_targets) {
        run_ranges(exec, pass, grouping, geo, workspace, order);
      } else {
        [[maybe_unused]] int const threads = num_threads(exec, num_elements<Pass>(grouping, geo));
#if defined(_OPENMP)
#pragma omp parallel num_threads(threads)
#endif
        with_parameters(pass, geo, [&](auto const& launch) {
#if defined(_OPENMP)
#pragma omp for schedule(dynamic, 32)
#endif
          for (Index row = 0; row < grouping.num_rows; ++row) {
            typename Pass::template state<Geometry> state;
            run_row(pass, grouping, launch, row, state);
          }
        });
      }
    }
    if constexpr (Pass::has_parameter_targets) fold_ranges(all, extents, workspace.partials);
  }

  template <class Pass, class Index, class Offset, class Env, class State>
  static void run_row(Pass const& pass, grouping_view<Index, Offset> const& grouping, Env const& launch, Index row, State& state) {
    Offset const begin = grouping.offsets[row];
    Offset const end = grouping.offsets[row + 1];
    with_row(pass, launch, row, [&](auto const& env) {
      pass.start(env.geo, state);
      if constexpr (walks_edges<Pass>) walk<1>(pass, env, grouping, begin, end, end, state);
      pass.complete_state(env.geo, state);
      pass.finish(env, row, static_cast<Offset>(end - begin), true, state);
    });
  }

  /// Sums over all edges: each of a fixed number of row ranges leaves those of a tile in the workspace.
  template <class Pass, class Index, class Offset, class Geometry>
  static void run_ranges(cpu const& exec, Pass const& pass, grouping_view<Index, Offset> const& grouping, Geometry const& geo,
                         workspace_view const& workspace, tile_order const& order) {
    using state_type = typename Pass::template state<Geometry>;
    std::int64_t const range_bytes = partial_bytes<Pass>({geo.heads, geo.lanes});
    [[maybe_unused]] int const threads = num_threads(exec, num_elements<Pass>(grouping, geo));
#if defined(_OPENMP)
#pragma omp parallel num_threads(threads)
#endif
    with_parameters(pass, geo, [&](auto const& launch) {
#if defined(_OPENMP)
#pragma omp for schedule(dynamic, 1)
#endif
      for (int range = 0; range < num_ranges; ++range) {
        state_type state;
        pass.start_launch(geo, state);
        auto const first = static_cast<Index>(static_cast<std::int64_t>(grouping.num_rows) * range / num_ranges);
        auto const last = static_cast<Index>(static_cast<std::int64_t>(grouping.num_rows) * (range + 1) / num_ranges);
        for (Index row = first; row < last; ++row) run_row(pass, grouping, launch, row, state);
        pass.finish_launch(launch, state);
        char* place = workspace.partials + range * range_bytes;
        state.parameters.for_each([&](auto, auto const& sum) {
          auto whole = complete(geo, sum);
          using whole_type = decltype(whole);
          constexpr extent e = whole_type::extent_of;
          if (e != extent::wide && order.follows(is_uniform(e) ? operand_kind::per_row : operand_kind::per_head)) {
            whole_type earlier;
            read_component(geo, place, earlier);
            for_each_entry<whole_type>(geo, [&](int, int c, int l) { whole.at(0, c, l) += earlier.at(0, c, l); });
          }
          write_component(geo, place, whole);
          place += component_bytes<std::remove_cvref_t<decltype(whole)>>(geo);
        });
      }
    });
  }

  /// Folds the ranges' sums of each parameter in order. Sums of parameters per lane lie apart by head.
  template <class Pass>
  static void fold_ranges(Pass const& pass, row_extents extents, char const* partials) {
    using T = typename Pass::accumulator;
    std::int64_t const range_bytes = partial_bytes<Pass>(extents);
    [&]<class... Bound>(type_list<Bound...>) {
      char const* place = partials;
      ((fold_parameter<T, Bound>(pass, extents, place, range_bytes),
        place += sums_bytes<T>(type_list<Bound>{}, extents)),
       ...);
    }(typename Pass::parameter_targets{});
  }
  template <class T, class Bound, class Pass>
  static void fold_parameter(Pass const& pass, row_extents extents, char const* first, std::int64_t range_bytes) {
    auto const& to = pass.gradients.template of<Bound>();
    std::int64_t const elements = elements_of_kind(Bound::kind, extents);
    std::int64_t const summed = elements_of_sum(Bound::kind, extents);
    for (std::int64_t i = 0; i < elements; ++i) {
      T total = T(0);
      for (std::int64_t k = i; k < summed; k += elements) {
        for (int range = 0; range < num_ranges; ++range) {
          total += reinterpret_cast<T const*>(first + range * range_bytes)[k];
        }
      }
      to.data[i] = static_cast<typename Bound::storage>(to.accumulate ? total + static_cast<T>(to.data[i]) : total);
    }
  }

  /// Elements that a pass over one tile reads or writes, a row an edge and one a vertex.
  template <class Pass, class Index, class Offset, class Geometry>
  static std::int64_t num_elements(grouping_view<Index, Offset> const& grouping, Geometry const& geo) {
    std::int64_t const rows = std::int64_t{grouping.num_rows} + (walks_edges<Pass> ? static_cast<std::int64_t>(grouping.num_edges) : 0);
    return rows * geo.chunks() * lanes_per_chunk;
  }
};

}  // namespace edgewise::detail
