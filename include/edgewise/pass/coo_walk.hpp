// The traversal of edges that are not grouped: a group walks a range of positions; both endpoints vary from edge to
// edge.
#pragma once

#include <edgewise/format/coo.hpp>
#include <edgewise/mapping/edge_balanced.hpp>
#include <edgewise/pass/fold_tree.hpp>
#include <edgewise/pass/traverse.hpp>

namespace edgewise::inline v0::detail {

/// The leaves that a pass over ungrouped edges loads: only parameters are fixed. The counterpart of `pass_tables`.
template <class Table, class Needed>
struct coo_tables {
  using parameter_table = bound_in_role<role::parameter, Table>;
  using fixed_table = parameter_table;
  using needed_parameters = bound_subset<Needed, parameter_table>;
  using varying_table = concat_types<bound_in_role<role::source, Table>, bound_in_role<role::destination, Table>,
                                     bound_in_role<role::edge, Table>>;
  using needed_sources = bound_subset<Needed, bound_in_role<role::source, Table>>;
  using needed_destinations = bound_subset<Needed, bound_in_role<role::destination, Table>>;
  using needed_edges = bound_subset<Needed, bound_in_role<role::edge, Table>>;
};

/// A block of edges in flight. Where `ok` is false an edge is masked: its rows are 0, which exist where there is an
/// edge at all, and the pass leaves it out.
template <int Edges, class Index, class Offset>
struct edge_block {
  edge_mask<Edges> ok;
  Index sources[Edges];
  Index destinations[Edges];
  Offset positions[Edges];
  Offset edges[Edges];  ///< ids
};

/// Walks positions [range.begin, range.end) in blocks of Edges and lets the pass take each block. `stop` >= range.end
/// is where the loop ends: the same number of blocks for all groups of a warp, so that shuffles inside the pass meet
/// all threads. What parameters decide is in `launch`.
template <int Edges, class Pass, class Env, class Index, class Offset, class State>
EDGEWISE_HD void walk_coo_with(Pass const& pass, Env const& launch, coo_view<Index, Offset> const& coo,
                               edge_range<Offset> range, std::int64_t stop, State& state) {
  using tables = typename Pass::tables;
  using types = pass_registers<Pass, typename Env::geometry, Edges>;
  constexpr bool needs_sources = Pass::scatters_to_sources || tables::needed_sources::size > 0;
  constexpr bool needs_destinations = Pass::scatters_to_destinations || tables::needed_destinations::size > 0;
  constexpr bool needs_edges = Pass::needs_edge || tables::needed_edges::size > 0;

  Index sources_ahead[Edges];
  Index destinations_ahead[Edges];
  auto look_ahead = [&](std::int64_t first) {
    EDGEWISE_UNROLL
    for (int b = 0; b < Edges; ++b) {
      bool const ok = first + b < range.end;
      sources_ahead[b] = needs_sources && ok ? read_element(coo.sources + (first + b)) : Index(0);
      destinations_ahead[b] = needs_destinations && ok ? read_element(coo.destinations + (first + b)) : Index(0);
    }
  };
  look_ahead(range.begin);
  for (std::int64_t first = range.begin; first < stop; first += Edges) {  // 64 bits: `stop` may lie past the edges
    edge_block<Edges, Index, Offset> block;
    block.ok = edge_mask<Edges>::of(first, static_cast<std::int64_t>(range.end));
    EDGEWISE_UNROLL
    for (int b = 0; b < Edges; ++b) {
      block.sources[b] = sources_ahead[b];
      block.destinations[b] = destinations_ahead[b];
      block.positions[b] = block.ok[b] ? static_cast<Offset>(first + b) : Offset(0);
      block.edges[b] = block.positions[b];
    }
    if (needs_edges && coo.edge_ids) {
      EDGEWISE_UNROLL
      for (int b = 0; b < Edges; ++b) {
        if (block.ok[b]) block.edges[b] = read_element(coo.edge_ids + block.positions[b]);
      }
    }
    typename types::varying varying;  // inside the loop: what a masked chunk leaves unset must not live across blocks
    load_leaves(typename tables::needed_sources{}, launch.geo, pass.operands, block.sources, varying);
    load_leaves(typename tables::needed_destinations{}, launch.geo, pass.operands, block.destinations, varying);
    load_leaves(typename tables::needed_edges{}, launch.geo, pass.operands, block.edges, varying);
    look_ahead(first + Edges);
    pass.template step<Edges>(extend(launch, varying), block, state);
  }
}
template <int Edges, class Pass, class Geometry, class Index, class Offset, class State>
EDGEWISE_HD void walk_coo(Pass const& pass, Geometry const& geo, coo_view<Index, Offset> const& coo,
                          edge_range<Offset> range, std::int64_t stop, State& state) {
  with_parameters(pass, geo, [&](auto const& launch) {
    pass.start_launch(geo, state);
    if constexpr (Pass::has_parameter_targets) {
      // Sums over all edges are taken in leaves.
      state.start_launch(geo);
      for (std::int64_t first = range.begin; first < stop; first += leaf_terms) {
        std::int64_t const next = first + leaf_terms < stop ? first + leaf_terms : stop;
        std::int64_t const last = next < range.end ? next : static_cast<std::int64_t>(range.end);
        walk_coo_with<Edges>(pass, launch, coo,
                             edge_range<Offset>{static_cast<Offset>(first), static_cast<Offset>(last)}, next, state);
        state.count(geo, next - first);
      }
      state.finish_launch(geo);
    } else {
      walk_coo_with<Edges>(pass, launch, coo, range, stop, state);
    }
    pass.finish_launch(launch, range.begin < range.end, state);
  });
}

}  // namespace edgewise::inline v0::detail
