// Which recipe runs a program of any number of units over grouped edges.
#pragma once

#include <edgewise/plan/recipe/rows_recipe.hpp>
#include <edgewise/plan/recipe/unit_chain.hpp>

namespace edgewise::inline v0::detail {

template <class Exec, class Graph, class Mapping, class Program, class Bindings, class Extents, class Sums>
struct grouped_recipe : rows_recipe<Exec, Graph, Mapping, Program, Bindings, Extents, Sums> {};
template <class Exec, class Graph, class Mapping, class... Unit, class Bindings, class Extents, class Sums>
struct grouped_recipe<Exec, Graph, Mapping, unit_program<Unit...>, Bindings, Extents, Sums> {
  using type = unit_chain<Exec, Graph, Mapping, unit_program<Unit...>, Bindings, Sums>;
};

}  // namespace edgewise::inline v0::detail
