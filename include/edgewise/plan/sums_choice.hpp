// Which programs can be told to sum without a fixed order, over which graphs.
#pragma once

#include <type_traits>

#include <edgewise/format/graph_traits.hpp>
#include <edgewise/mapping/automatic.hpp>
#include <edgewise/plan/coo_program.hpp>
#include <edgewise/program/argument_plan.hpp>
#include <edgewise/program/lower.hpp>
#include <edgewise/program/sums.hpp>
#include <edgewise/program/unit_program.hpp>

namespace edgewise::inline v0::detail {

template <class Graph, class Mapping, class Program>
inline constexpr bool chooses_sums = false;
template <class Graph, class Mapping, class E, class U, class S>
requires is_grouped<Graph>
inline constexpr bool chooses_sums<Graph, Mapping, lowered_program<E, U, S>> = aggregations_pick_edges<U>;
template <class Index, class Offset, class E, class U, class S>
inline constexpr bool chooses_sums<graph<coo_view<Index, Offset>>, automatic, lowered_program<E, U, S>> =
    is_scatterable<lowered_program<E, U, S>, float>() || aggregations_pick_edges<U>;

template <class Graph, class Mapping, class... Unit>
requires is_grouped<Graph>
inline constexpr bool chooses_sums<Graph, Mapping, unit_program<Unit...>> = (chooses_sums<Graph, Mapping, Unit> || ...);

template <class Sums, class Graph, class Mapping, class Program>
struct require_sums {
  static_assert(std::is_same_v<Sums, deterministic> || chooses_sums<Graph, Mapping, Program>,
                "nondeterministic: chooses how gradients of max and min over edges grouped by destination are summed, "
                "and whether automatic may scatter a sum, max or min over graph{coo}; nothing else has the choice "
                "(program/sums.hpp)");
  static constexpr bool ok = true;
};

}  // namespace edgewise::inline v0::detail
