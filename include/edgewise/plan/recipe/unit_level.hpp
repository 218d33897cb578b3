// The recipes of a chain's units, each made after those that it reads.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <edgewise/core/extents.hpp>
#include <edgewise/format/graph_traits.hpp>
#include <edgewise/plan/recipe/unit_types.hpp>
#include <edgewise/schedule/sizing.hpp>

namespace edgewise::inline v0::detail {

/// The recipes of units 0 to K, made one after the other: each knows the shapes of what it reads by those before it.
template <class Types, int K, bool IsPart = Types::template is_part<K>>
struct unit_level : unit_level<Types, K - 1> {
  typename Types::template unit<K>::recipe recipe;

  /// values: becomes the shapes of what units make. No memory is there yet.
  template <class Graph, class Program, class Bindings>
  unit_level(Graph const& graph, Program const& program, Bindings const& in, sizing size,
             typename Types::arrays& values)
      : unit_level<Types, K - 1>(graph, program, in, size, values), recipe(make(graph, program, in, size, values)) {
    if constexpr (K < Types::num_values) {
      values[static_cast<std::size_t>(K)] = {reinterpret_cast<typename Types::T*>(alignment_of_memory),
                                             rows_of_role(Types::template rows<K>, graph_traits<Graph>::counts(graph)),
                                             recipe.num_parts > 1 ? recipe.extents() : recipe.out_extents()};
    }
  }

private:
  /// Stands for memory that a plan allocates later: shapes and alignment are what is looked at.
  static constexpr std::uintptr_t alignment_of_memory = 256;
  template <class Graph, class Program, class Bindings>
  static auto make(Graph const& graph, Program const& program, Bindings const& in, sizing size,
                   typename Types::arrays const& values) {
    auto const own = Types::template bind_unit<K>(in, values);
    using unit = typename Types::template unit<K>;
    return typename unit::recipe(graph, unit::plan::prepare(get<K>(program.units), own), own, size);
  }
};
/// A part of another unit's value has its shape.
template <class Types, int K>
struct unit_level<Types, K, true> : unit_level<Types, K - 1> {
  template <class Graph, class Program, class Bindings>
  unit_level(Graph const& graph, Program const& program, Bindings const& in, sizing size,
             typename Types::arrays& values)
      : unit_level<Types, K - 1>(graph, program, in, size, values) {
    values[static_cast<std::size_t>(K)] = Types::template part_of<K>(values);
  }
};
template <class Types>
struct unit_level<Types, -1, false> {
  template <class... Argument>
  explicit unit_level(Argument const&...) {}
};

}  // namespace edgewise::inline v0::detail
