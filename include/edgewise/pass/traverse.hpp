// The one traversal: a group walks the edges of a row in blocks, loads what varies, and lets the pass fold the block.
#pragma once

#include <cstdint>
#include <type_traits>

#include <edgewise/core/float16.hpp>
#include <edgewise/format/grouping.hpp>
#include <edgewise/pass/hoisting.hpp>
#include <edgewise/pass/pass_concept.hpp>
#include <edgewise/register/edge_mask.hpp>
#include <edgewise/register/geometry_concept.hpp>
#include <edgewise/register/row_address.hpp>

namespace edgewise::inline v0::detail {

/// The leaves that a pass loads, by what decides their row. Table: every bound leaf of the program; Needed: what the
/// pass reads; Fixed: the endpoint that rows are grouped by, or role::relation, where rows are types of edges, whose
/// endpoints both vary.
template <class Table, class Needed, role Fixed>
struct pass_tables {
  static constexpr bool by_type = Fixed == role::relation;
  static constexpr role other = Fixed == role::destination ? role::source : role::destination;
  template <role Role, bool Varies>
  using varying_in = std::conditional_t<Varies, bound_in_role<Role, Table>, type_list<>>;
  using row_table = bound_in_role<Fixed, Table>;
  using parameter_table = bound_in_role<role::parameter, Table>;
  using fixed_table = concat_types<row_table, parameter_table>;
  using far_table = varying_in<role::source, by_type>;
  using relation_table = varying_in<role::relation, !by_type>;
  using varying_table =
      concat_types<bound_in_role<other, Table>, far_table, bound_in_role<role::edge, Table>, relation_table>;
  using needed_fixed = bound_subset<Needed, bound_in_role<Fixed, Table>>;
  using needed_parameters = bound_subset<Needed, bound_in_role<role::parameter, Table>>;
  using needed_neighbors = bound_subset<Needed, bound_in_role<other, Table>>;
  using needed_far = bound_subset<Needed, far_table>;  ///< rows of the ends that are no neighbors
  using needed_others = concat_types<needed_neighbors, needed_far>;
  using needed_edges = bound_subset<Needed, bound_in_role<role::edge, Table>>;
  using needed_relations = bound_subset<Needed, relation_table>;
  using needed_varying = concat_types<needed_others, needed_edges, needed_relations>;
};

/// Register types of a pass over a geometry with blocks of Edges edges.
template <class Pass, class Geometry, int Edges>
struct pass_registers {
  using tables = typename Pass::tables;
  using fixed = registers<Geometry, typename Pass::accumulator, 1, typename tables::fixed_table>;
  using varying = registers<Geometry, typename Pass::accumulator, Edges, typename tables::varying_table>;
  using env = environment<Geometry, typename Pass::accumulator, fixed, varying>;
};

/// Calls f(env) with what parameters decide: their leaves are loaded, what reads nothing else is evaluated. Whoever
/// takes several rows calls it before the first.
template <class Pass, class Geometry, class F>
EDGEWISE_HD void with_parameters(Pass const& pass, Geometry const& geo, F const& f) {
  static_assert(require_pass<Pass>::ok && require_row_geometry<Geometry>::ok);
  using table = typename Pass::loads::parameter_table;
  registers<Geometry, typename Pass::accumulator, 1, table> values;
  std::int32_t const zero[1] = {0};
  using loaded = bound_subset<typename Pass::template launch_leaves<Geometry>, table>;
  load_leaves(loaded{}, geo, pass.operands, zero, values);
  clear_unloaded(loaded{}, table{}, geo, values);
  bare_environment<Geometry, typename Pass::accumulator, typename Pass::read_leaves> const nothing{geo};
  hold(typename Pass::template launch_hoisted<Geometry>{}, pass.program, extend(nothing, values), f);
}

/// Calls f(env) with what a row fixes besides: the leaves of its own vertex are loaded, what reads nothing else but
/// parameters is evaluated.
template <class Pass, class Env, class Index, class F>
EDGEWISE_HD void with_row(Pass const& pass, Env const& launch, Index row, F const& f) {
  using loads = typename Pass::loads;
  registers<typename Env::geometry, typename Pass::accumulator, 1, typename loads::row_table> values;
  if constexpr (requires { pass.load_row(launch.geo, row, values); }) {
    pass.load_row(launch.geo, row, values);
  } else {
    Index const rows[1] = {row};
    load_leaves(typename loads::needed_fixed{}, launch.geo, pass.operands, rows, values);
  }
  clear_unloaded(typename loads::needed_fixed{}, typename loads::row_table{}, launch.geo, values);
  hold(typename Pass::row_hoisted{}, pass.program, extend(launch, values), f);
}

/// Is an operand of a table stored as T?
template <class T, class Table>
inline constexpr bool any_stored_as = false;
template <class T, class... Bound>
inline constexpr bool any_stored_as<T, type_list<Bound...>> =
    (std::is_same_v<std::remove_const_t<typename Bound::storage>, T> || ...);

/// What is known of a grouping's edge ids where a loop over edges is compiled.
enum class edge_numbers { positions, ids, either };

/// Walks positions [begin, end) of a row in blocks of Edges. `stop` >= end is where the loop ends: the same for all
/// groups of a warp, so that shuffles inside the pass meet all threads. Positions from `end` on are masked: they read
/// the row of some neighbor and of some edge, and the pass leaves them out, whatever number their edge has.
template <edge_numbers Numbers, int Edges, class Pass, class Env, class Grouping, class Offset, class State>
EDGEWISE_HD void walk_blocks(Pass const& pass, Env const& row_env, Grouping const& grouping, Offset begin, Offset end,
                             Offset stop, State& state) {
  using tables = typename Pass::tables;
  using types = pass_registers<Pass, typename Env::geometry, Edges>;
  using Index = typename Grouping::index_type;
  constexpr bool needs_neighbors = tables::needed_neighbors::size > 0;
  constexpr bool needs_far = tables::needed_far::size > 0;
  constexpr bool reads_types = tables::needed_relations::size > 0;
  constexpr bool reads_rows_of_edges = tables::needed_edges::size > 0 || reads_types;
  constexpr bool needs_edges = Pass::needs_edge || reads_rows_of_edges;
  // Ids are found with the neighbors of the next block: where rows are found by them, two loads would follow one
  // another (docs/tuning.md, R41).
  // By source, edges have ids as a rule. A walk of several chunks and edges has no registers to expect them, and rows
  // of float16 were slower, for which no reason was found (docs/tuning.md, R42).
  constexpr bool has_room =
      (Env::geometry::max_chunks == 1 || Edges <= 2) && !any_stored_as<float16, typename tables::needed_others>;
  constexpr bool expects_ids = Numbers == edge_numbers::either && tables::other == role::destination && has_room;
  constexpr bool edges_are_ahead = reads_rows_of_edges && (Numbers == edge_numbers::ids || expects_ids || reads_types);

  Offset const last = end > 0 ? end - 1 : 0;  // there is an edge where the loop begins
  Index neighbors_ahead[Edges];
  Index far_ahead[Edges];
  Offset edges_ahead[Edges];
  Index types_ahead[Edges];
  // One address and one difference per block, to which edges are constants: where rows are in the caches, a walk takes
  // the time of its instructions.
  auto const read_list = [](auto const* list, Offset first, edge_mask<Edges> const& ok, auto(&to)[Edges]) {
    auto const* const from = find_element(list, first);
    EDGEWISE_UNROLL
    for (int b = 0; b < Edges; ++b) {
      to[b] = 0;
      if (ok[b]) to[b] = read_element(from + b);
    }
  };
  auto const find_edges = [&](Offset first, edge_mask<Edges> const& ok, Offset(&edges)[Edges]) {
    EDGEWISE_UNROLL
    for (int b = 0; b < Edges; ++b) edges[b] = !reads_rows_of_edges || first + b < last ? first + b : last;
    if constexpr (needs_edges && Numbers != edge_numbers::positions) {
      if (Numbers == edge_numbers::ids || grouping.edge_ids) read_list(grouping.edge_ids, first, ok, edges);
    }
  };
  auto const look_ahead = [&](Offset first) {
    auto const ok = edge_mask<Edges>::of(first, end);
    if constexpr (needs_neighbors) read_list(grouping.neighbors, first, ok, neighbors_ahead);
    if constexpr (needs_far) read_list(grouping.far_ends, first, ok, far_ahead);
    if constexpr (edges_are_ahead) find_edges(first, ok, edges_ahead);
    if constexpr (reads_types) {
      EDGEWISE_UNROLL
      for (int b = 0; b < Edges; ++b) {
        types_ahead[b] = 0;
        if (ok[b]) types_ahead[b] = read_element(find_element(grouping.edge_types, edges_ahead[b]));
      }
    }
  };
  look_ahead(begin);
  for (Offset first = begin; first < stop; first += Edges) {
    Index neighbors[Edges];
    Index far_ends[Edges];
    Index types_of_edges[Edges];
    Offset positions[Edges];
    Offset edges[Edges];
    auto ok = edge_mask<Edges>::of(first, end);
    // The loop of a group with a warp of its own ends with its edges.
    if constexpr (Env::geometry::group_size >= 32) ok.first = true;
    EDGEWISE_UNROLL
    for (int b = 0; b < Edges; ++b) {
      neighbors[b] = needs_neighbors ? neighbors_ahead[b] : Index(0);
      far_ends[b] = needs_far ? far_ahead[b] : Index(0);
      types_of_edges[b] = reads_types ? types_ahead[b] : Index(0);
      positions[b] = first + b;
      if constexpr (edges_are_ahead) edges[b] = edges_ahead[b];
    }
    if constexpr (!edges_are_ahead) find_edges(first, ok, edges);
    typename types::varying varying;  // inside the loop: what a masked chunk leaves unset must not live across blocks
    load_leaves(typename tables::needed_neighbors{}, row_env.geo, pass.operands, neighbors, varying);
    load_leaves(typename tables::needed_far{}, row_env.geo, pass.operands, far_ends, varying);
    load_leaves(typename tables::needed_edges{}, row_env.geo, pass.operands, edges, varying);
    load_leaves(typename tables::needed_relations{}, row_env.geo, pass.operands, types_of_edges, varying);
    look_ahead(first + Edges);
    if constexpr (Pass::takes_positions) {
      pass.template step<Edges>(extend(row_env, varying), ok, edges, positions, state);
    } else {
      pass.template step<Edges>(extend(row_env, varying), ok, edges, state);
    }
  }
}

/// Are there loops for edges with ids and for those without? Where rows of edges are found by them, of rows that move
/// as words, by eight threads or more: two loops take longer to compile.
template <class Pass, class Geometry>
inline constexpr bool tells_numbers_apart =
    Pass::tables::needed_edges::size > 0 && Geometry::group_size >= 8 &&
    Geometry::access_of == access::chunk&& Geometry::channels_per_chunk >= 4 && Geometry::packing_of == packing::dense;

/// `walk_blocks`, with a loop for edges that have ids and one for those that have none, or one for both.
template <int Edges, class Pass, class Env, class Grouping, class Offset, class State>
EDGEWISE_HD void walk(Pass const& pass, Env const& row_env, Grouping const& grouping, Offset begin, Offset end,
                      Offset stop, State& state) {
#if defined(__CUDA_ARCH__)
  constexpr bool chooses = tells_numbers_apart<Pass, typename Env::geometry>;
#else
  constexpr bool chooses = false;
#endif
  if constexpr (chooses) {
    if (grouping.edge_ids) {
      walk_blocks<edge_numbers::ids, Edges>(pass, row_env, grouping, begin, end, stop, state);
    } else {
      walk_blocks<edge_numbers::positions, Edges>(pass, row_env, grouping, begin, end, stop, state);
    }
  } else {
    walk_blocks<edge_numbers::either, Edges>(pass, row_env, grouping, begin, end, stop, state);
  }
  pass.finish_walk(row_env, begin < end ? static_cast<std::int64_t>(end - begin) : 0, state);
}

}  // namespace edgewise::inline v0::detail
