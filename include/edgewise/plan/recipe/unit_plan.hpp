// How a unit of a chain is planned: its recipe, and what it is asked for.
#pragma once

#include <type_traits>
#include <utility>

#include <edgewise/plan/recipe/dense_rows.hpp>
#include <edgewise/plan/recipe/vertex_rows.hpp>
#include <edgewise/program/components.hpp>
#include <edgewise/program/shared_units.hpp>
#include <edgewise/program/units.hpp>

namespace edgewise::inline v0::detail {

/// The recipes of units of vertices alone.
template <class Exec, class Graph, class Program, class Set, role Rows>
struct vertex_recipe {
  using type = vertex_rows<Exec, Graph, Program, Set, Rows>;
};
template <class Exec, class Graph, class Unit, class Set, class T, role Rows>
struct dense_recipe {
  using type = dense_rows<Exec, Graph, Unit, Set, T, Rows>;
};

/// How a unit is planned. Types: the chain's `unit_types`; Rows: whose vertices its rows are.
template <class Types, class Unit, role Rows, class Set>
struct unit_plan {
  using program =
      std::remove_cvref_t<decltype(with_components_of(std::declval<Unit const&>(), std::declval<Set const&>()))>;
  using recipe = typename Types::template traversal_recipe<program, Set>;
  static auto prepare(Unit const& unit, Set const& in) { return with_components_of(unit, in); }
};
template <class Types, class E, role Rows, class Set>
struct unit_plan<Types, lowered_program<E, type_list<>, type_list<>>, Rows, Set> {
  using unit = lowered_program<E, type_list<>, type_list<>>;
  using program =
      std::remove_cvref_t<decltype(with_components_of(std::declval<unit const&>(), std::declval<Set const&>()))>;
  using recipe =
      typename vertex_recipe<typename Types::exec_type, typename Types::graph_type, program, Set, Rows>::type;
  static auto prepare(unit const& u, Set const& in) { return with_components_of(u, in); }
};
template <class Types, class Lowered, role Rows, class Set>
struct unit_plan<Types, source_program<Lowered>, Rows, Set> : unit_plan<Types, Lowered, Rows, Set> {};
template <class Types, class Product, class Library, role Rows, class Set>
struct unit_plan<Types, dense_program<Product, Library>, Rows, Set> {
  using program = dense_program<Product, Library>;
  using recipe = typename dense_recipe<typename Types::exec_type, typename Types::graph_type, program, Set,
                                       typename Types::T, Rows>::type;
  static program const& prepare(program const& unit, Set const&) { return unit; }
};
/// Which unit computes the value of unit K, and which part of what it computes that is.
template <int K, class Unit>
struct place_of_value {
  static constexpr int unit = K;
  static constexpr int part = 0;
};
template <int K, int Unit, int Part, class Replaced>
struct place_of_value<K, unit_part<Unit, Part, Replaced>> {
  static constexpr int unit = Unit;
  static constexpr int part = Part;
};

template <class Unit>
inline constexpr bool reads_sources_as_rows = false;
template <class Lowered>
inline constexpr bool reads_sources_as_rows<source_program<Lowered>> = true;

/// A request of a unit: for what a user asked by the request Asked, or the gradient of unit J's value.
template <class Asked, class Request>
struct user_request {
  using asked = Asked;
  using request = Request;
};
template <int J, class Request>
struct value_gradient {
  using request = Request;
};
template <class Name>
inline constexpr int unit_number = -1;
template <int J>
inline constexpr int unit_number<unit_value<J>> = J;

}  // namespace edgewise::inline v0::detail
