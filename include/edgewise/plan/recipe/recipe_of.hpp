// Which recipe a plan has: by the format of its graph, its mapping and its program.
#pragma once

#include <edgewise/plan/recipe/coo_automatic.hpp>
#include <edgewise/plan/recipe/coo_edges.hpp>
#include <edgewise/plan/recipe/coo_gather.hpp>
#include <edgewise/plan/recipe/edge_products.hpp>
#include <edgewise/plan/recipe/grouped_recipe.hpp>

namespace edgewise::inline v0::detail {

template <class Exec, class Graph, class Mapping, class Program, class Bindings, class Extents, class Sums>
struct recipe_of : grouped_recipe<Exec, Graph, Mapping, Program, Bindings, Extents, Sums> {};

template <class Exec, class Graph, class Mapping, class Lowered, int Inputs, class Bindings, class Extents, class Sums>
struct recipe_of<Exec, Graph, Mapping, program_along_edges<Lowered, Inputs>, Bindings, Extents, Sums> {
  using type = edge_products<Exec, Graph, Mapping, Lowered, Inputs, Bindings, Sums>;
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
