// Traversals of ungrouped edges on the CPU: where rows of vertices are written, threads share their channels, never the
// edges, so that no element has two writers; rows of edges have one each.
#pragma once

#include <algorithm>
#include <cstdint>

#include <edgewise/core/caught_exception.hpp>
#include <edgewise/core/cpu_threads.hpp>
#include <edgewise/core/extents.hpp>
#include <edgewise/core/resources.hpp>
#include <edgewise/engine/concept.hpp>
#include <edgewise/engine/coo_concept.hpp>
#include <edgewise/engine/cpu/capacities.hpp>
#include <edgewise/engine/tiles.hpp>
#include <edgewise/pass/coo_walk.hpp>
#include <edgewise/pass/gradient_sink.hpp>
#include <edgewise/pass/pass_sizes.hpp>
#include <edgewise/program/gradient_pointer.hpp>
#include <edgewise/register/host_geometry.hpp>

namespace edgewise::inline v0::detail {

/// Every tile of channels walks all edges by position, of passes that write to edges alone a share of them: the same
/// bits for any number of threads.
template <>
struct coo_engine<cpu> {
  static constexpr int channels_per_chunk = 16;
  /// Sums over all edges are taken range by range, which rounds less than one long sum.
  static constexpr int num_ranges = 64;
  static constexpr std::int64_t num_partials = 0;
  /// Edges that a thread takes at a time, where threads share them.
  static constexpr std::int64_t edges_of_share = 4096;

  template <class View>
  static void clear_rows(cpu const&, View const& view) {
    for (std::int64_t row = 0; row < view.rows; ++row) {
      std::fill_n(view.data + row * view.row_stride, view.row_size(), typename View::value_type(0));
    }
  }

  template <class Body>
  static void for_each_element([[maybe_unused]] cpu const& exec, Body const& body, std::int64_t count) {
#if defined(_OPENMP)
#pragma omp parallel for schedule(static) num_threads(num_threads(exec, count))
#endif
    for (std::int64_t i = 0; i < count; ++i) body(i);
  }

  /// Throws `invalid_argument` where no geometry holds what the pass has to sum over.
  template <class Pass>
  static void check_width(row_extents extents, int) {
    if (lay_out<Pass>(extents, large_host_capacity, channels_per_chunk, false).layout.num_tiles == 0) {
      throw_row_too_wide(Pass::need, extents, large_host_capacity * channels_per_chunk);
    }
  }

  /// Runs a pass over rows that `check_width` lets pass.
  template <class Pass, class Index, class Offset>
  static void run(cpu const& exec, Pass const& pass, coo_view<Index, Offset> const& coo, row_extents extents, int,
                  workspace_view const&) {
    if (coo.num_edges == 0 && !Pass::has_parameter_targets) return;
    // The smallest groups that can hold what the pass sums over: the more tiles, the more threads have work.
    if constexpr (!has_few_geometries) {
      if (try_chunks<small_host_capacity>(exec, pass, coo, extents)) return;
      if (try_chunks<medium_host_capacity>(exec, pass, coo, extents)) return;
    }
    if (try_chunks<large_host_capacity>(exec, pass, coo, extents)) return;
    add_tiles(pass, coo, extents);
  }

private:
  /// Does every edge write to its own rows alone?
  template <class Pass>
  static constexpr bool writes_edges_alone =
      !Pass::scatters_to_sources && !Pass::scatters_to_destinations && !Pass::has_parameter_targets;

  /// False when `MaxChunks` chunks do not hold what the pass needs together.
  template <int MaxChunks, class Pass, class Index, class Offset>
  static bool try_chunks([[maybe_unused]] cpu const& exec, Pass const& pass, coo_view<Index, Offset> const& coo,
                         row_extents extents) {
    using geometry = host_geometry<MaxChunks, channels_per_chunk>;
    row_layout const layout =
        make_row_layout(Pass::need, extents.heads, extents.channels, MaxChunks, channels_per_chunk, false);
    // Else one tile is one thread's work.
    constexpr bool shares_edges = writes_edges_alone<Pass>;
    std::int64_t const num_shares = shares_edges ? (coo.num_edges + edges_of_share - 1) / edges_of_share : 1;
    [[maybe_unused]] std::int64_t const shared =
        shares_edges || layout.num_tiles > 1 ? static_cast<std::int64_t>(coo.num_edges) * layout.row_size() : 0;
    caught_exception caught;
#if defined(_OPENMP)
#pragma omp parallel for schedule(dynamic, 1) num_threads(num_threads(exec, shared))
#endif
    for (std::int64_t task = 0; task < num_shares * layout.num_tiles; ++task) {
      caught.run([&] {
        geometry const geo(layout, static_cast<int>(task % layout.num_tiles));
        if constexpr (shares_edges) {
          typename Pass::template state<geometry> state;
          walk_range(pass, geo, coo, share_of(coo.num_edges, task / layout.num_tiles), state);
        } else {
          walk_tile(pass, coo, geo);
        }
      });
    }
    caught.rethrow();
    return layout.num_tiles > 0;
  }

  template <class Offset>
  static edge_range<Offset> share_of(Offset num_edges, std::int64_t share) {
    std::int64_t const begin = share * edges_of_share;
    return {static_cast<Offset>(begin), static_cast<Offset>(std::min<std::int64_t>(begin + edges_of_share, num_edges))};
  }

  /// Rows wider than any group: tile after tile, each adding its part to the sums over channels and heads.
  template <class Pass, class Index, class Offset>
  static void add_tiles(Pass const& pass, coo_view<Index, Offset> const& coo, row_extents extents) {
    row_layout const layout = lay_out<Pass>(extents, large_host_capacity, channels_per_chunk, false).layout;
    for (int tile = 0; tile < layout.num_tiles; ++tile) {
      tile_order const order = order_of(layout, tile);
      walk_tile(after_earlier_tiles(pass, order), coo,
                host_geometry<large_host_capacity, channels_per_chunk>(layout, tile), order);
    }
  }

  template <class Geometry, class Pass, class Index, class Offset>
  static void walk_tile(Pass const& pass, coo_view<Index, Offset> const& coo, Geometry const& geo,
                        tile_order const& order = {}) {
    using state_type = typename Pass::template state<Geometry>;
    if constexpr (Pass::has_parameter_targets) {
      state_type total;
      total.parameters.clear(geo);
      Offset const length = share_length(coo.num_edges, num_ranges);
      for (int range = 0; range < num_ranges; ++range) {
        state_type part;
        part.parameters.clear(geo);
        walk_range(pass, geo, coo, edge_share(coo.num_edges, length, range), part);
        total.parameters.add(geo, part.parameters);
      }
      store_sums(pass, geo, total.parameters, order);
    } else {
      state_type state;
      walk_range(pass, geo, coo, edge_range<Offset>{Offset(0), coo.num_edges}, state);
    }
  }
  template <class Pass, class Geometry, class Index, class Offset, class State>
  static void walk_range(Pass const& pass, Geometry const& geo, coo_view<Index, Offset> const& coo,
                         edge_range<Offset> range, State& state) {
    walk_coo<1>(pass, geo, coo, range, static_cast<std::int64_t>(range.end), state);
  }

  template <class Pass, class Geometry, class Sums>
  static void store_sums(Pass const& pass, Geometry const& geo, Sums& sums, tile_order const& order) {
    sums.for_each([&](auto tag, auto const& sum) {
      using bound = typename decltype(tag)::type;
      constexpr int stride = element_stride<typename bound::leaf>;
      auto const whole = complete_sum<bound::kind>(geo, sum);
      auto const& to = pass.gradients.template of<bound>();
      bool const accumulate = to.accumulate || order.follows(bound::kind);
      store_row<bound::kind, stride>(geo, to.data, to.row_stride, 0, whole, 0, accumulate);
    });
  }
};

}  // namespace edgewise::inline v0::detail
