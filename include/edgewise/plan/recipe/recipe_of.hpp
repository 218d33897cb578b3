// Which recipe a plan has: by the format of its graph, its mapping and its program.
#pragma once

#include <edgewise/plan/recipe/coo_automatic.hpp>
#include <edgewise/plan/recipe/coo_edges.hpp>
#include <edgewise/plan/recipe/coo_gather.hpp>
#include <edgewise/plan/recipe/rows_recipe.hpp>
#include <edgewise/plan/recipe/unit_chain.hpp>

namespace edgewise::inline v0::detail {

template <class Exec, class Graph, class Mapping, class Program, class Bindings, class Extents, class Sums>
struct recipe_of : rows_recipe<Exec, Graph, Mapping, Program, Bindings, Extents, Sums> {};

template <class Exec, class Graph, class Mapping, class... Unit, class Bindings, class Extents, class Sums>
requires is_grouped<Graph>
struct recipe_of<Exec, Graph, Mapping, unit_program<Unit...>, Bindings, Extents, Sums> {
  using type = unit_chain<Exec, Graph, Mapping, unit_program<Unit...>, Bindings, Sums>;
};

template <class Exec, class Index, class Offset, class Program, class Bindings, class Extents, class Sums>
struct recipe_of<Exec, graph<coo_view<Index, Offset>>, automatic, Program, Bindings, Extents, Sums> {
  using type = coo_automatic<Exec, Index, Offset, Program, Bindings, Extents, Sums>;
};
template <class Exec, class Index, class Offset, class Program, class Bindings, class Extents, class Sums>
struct recipe_of<Exec, graph<coo_view<Index, Offset>>, edge_balanced, Program, Bindings, Extents, Sums> {
  using type = coo_gather<Exec, Index, Offset, Program, Bindings, Extents>;
};
template <class Exec, class Index, class Offset, class Aggregation, class Bindings, class Extents, class Sums>
struct recipe_of<Exec, graph<coo_view<Index, Offset>>, edge_balanced, edge_program<Aggregation>, Bindings, Extents,
                 Sums> {
  using type = coo_edges<Exec, Index, Offset, Aggregation, Bindings, Extents>;
};

}  // namespace edgewise::inline v0::detail
