// The traversal of a CPU thread: edge after edge, the rows of later ones on their way.
#pragma once

#include <cstdint>

#include <edgewise/pass/traverse.hpp>
#include <edgewise/register/edge_mask.hpp>

namespace edgewise::inline v0::detail {

/// How many edges ahead a CPU thread asks for rows: without, wide rows take several times as long (docs/tuning.md,
/// R54).
inline constexpr int edges_prefetched = 8;

/// Walks positions [begin, end) of a row as `walk` does, one at a time. Rows are asked for before this edge's are
/// loaded: compilers move no load across that, and what is loaded last is added from memory. `are_near`: the core's own
/// cache holds all rows, so that none is asked for.
template <class Pass, class Env, class Grouping, class Offset, class State>
EDGEWISE_HD void walk_singly(Pass const& pass, Env const& row_env, Grouping const& grouping, Offset begin, Offset end,
                             bool are_near, State& state) {
  using tables = typename Pass::tables;
  using Index = typename Grouping::index_type;
  constexpr bool needs_neighbors = tables::needed_neighbors::size > 0;
  constexpr bool needs_far = tables::needed_far::size > 0;
  constexpr bool reads_types = tables::needed_relations::size > 0;
  constexpr bool needs_edges = Pass::needs_edge || tables::needed_edges::size > 0 || reads_types;

  auto const ok = edge_mask<1>::one(true);
  Offset const* const ids = needs_edges ? grouping.edge_ids : nullptr;
  // Of later rows too, since short ones have nothing ahead; the last edges of a grouping go without.
  [[maybe_unused]] bool const asks = !are_near && grouping.num_edges - end >= edges_prefetched;
  for (Offset position = begin; position < end; ++position) {
    if constexpr (needs_neighbors || needs_far) {
      if (asks) {
        Offset const later = position + edges_prefetched;
        if constexpr (needs_neighbors) {
          prefetch_leaves(typename tables::needed_neighbors{}, row_env.geo, pass.operands, grouping.neighbors[later]);
        }
        if constexpr (needs_far) {
          prefetch_leaves(typename tables::needed_far{}, row_env.geo, pass.operands, grouping.far_ends[later]);
        }
      }
    }
    Index const neighbors[1] = {needs_neighbors ? grouping.neighbors[position] : Index(0)};
    Index const far_ends[1] = {needs_far ? grouping.far_ends[position] : Index(0)};
    Offset const edges[1] = {ids ? ids[position] : position};
    Index const types[1] = {reads_types ? grouping.edge_types[edges[0]] : Index(0)};
    typename pass_registers<Pass, typename Env::geometry, 1>::varying varying;
    load_leaves(typename tables::needed_neighbors{}, row_env.geo, pass.operands, neighbors, varying);
    load_leaves(typename tables::needed_far{}, row_env.geo, pass.operands, far_ends, varying);
    load_leaves(typename tables::needed_edges{}, row_env.geo, pass.operands, edges, varying);
    load_leaves(typename tables::needed_relations{}, row_env.geo, pass.operands, types, varying);
    if constexpr (Pass::takes_positions) {
      Offset const positions[1] = {position};
      pass.template step<1>(extend(row_env, varying), ok, edges, positions, state);
    } else {
      pass.template step<1>(extend(row_env, varying), ok, edges, state);
    }
  }
  pass.finish_walk(row_env, begin < end ? static_cast<std::int64_t>(end - begin) : 0, state);
}

}  // namespace edgewise::inline v0::detail
