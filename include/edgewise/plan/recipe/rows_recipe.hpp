// Which recipe runs a program over grouped edges.
#pragma once

#include <edgewise/plan/recipe/rows_edges.hpp>
#include <edgewise/plan/recipe/rows_gather.hpp>

namespace edgewise::inline v0::detail {

template <class Exec, class Graph, class Mapping, class Program, class Bindings, class Extents, class Sums>
struct rows_recipe {
  using type = rows_gather<Exec, Graph, Mapping, Program, Bindings, Extents, Sums>;
};
template <class Exec, class Graph, class Mapping, class Aggregation, class Bindings, class Extents, class Sums>
struct rows_recipe<Exec, Graph, Mapping, edge_program<Aggregation>, Bindings, Extents, Sums> {
  using type = rows_edges<Exec, Graph, Mapping, Aggregation, Bindings, Extents>;
};

}  // namespace edgewise::inline v0::detail
