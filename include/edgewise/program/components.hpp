// Programs as their bindings make them: under sum_over, operands that have no components are themselves, and masks have
// the axes of what they drop.
#pragma once

#include <edgewise/expression/dropout.hpp>
#include <edgewise/expression/rewrite.hpp>
#include <edgewise/program/along_edges.hpp>
#include <edgewise/program/bindings.hpp>
#include <edgewise/program/joined_units.hpp>
#include <edgewise/program/mask_shapes.hpp>
#include <edgewise/program/rewrite_program.hpp>
#include <edgewise/program/shared_units.hpp>

namespace edgewise::inline v0::detail {

/// Leaves and masks under bindings of type Set. Aggregations: those of the program.
template <class Set, class Aggregations>
struct binding_rule {
  static constexpr bool renames_leaves = true;
  template <class E>
  static constexpr bool takes = is_component<E> || is_dropout<E>;

  template <role Role, class Name>
  static constexpr auto apply(leaf<Role, Name> const& l) {
    if constexpr (vec_length<view_bound_to<leaf<Role, Name>, Set>> == 0) {
      return whole_leaf<leaf<Role, Name>>{};
    } else {
      return l;
    }
  }
  template <class Name, class Number, class Rate, class A, class Shape>
  static constexpr auto apply(dropout_node<Name, Number, Rate, A, Shape> const& e) {
    using shape = typename bound_mask_shape<rewritten<binding_rule, Shape>, Aggregations, Set>::type;
    return dropout_node<Name, Number, Rate, rewritten<binding_rule, A>, shape>{rewrite<binding_rule>(e.arg), e.rate};
  }
};

template <class L>
struct is_component_leaf : std::bool_constant<is_component<L>> {};
template <class Program>
inline constexpr bool reads_components =
    filter_types<is_component_leaf, concat_types<typename Program::leaves, typename Program::self_leaves,
                                                 typename Program::epilogue_type::leaves>>::size > 0;

/// A lowered program as it reads operands of the kinds that are bound. Those of several units are left to their
/// recipes, but that units which would compute the same, or sums of the same rows, are one.
template <class Program, class Set>
constexpr auto with_components_of(Program const& program, Set const&) {
  if constexpr (is_unit_program<Program>) {
    return join_sums<1, Set>(share_units<1, Set>(program));
  } else if constexpr (is_dense<Program> || is_along_edges<Program>) {
    return program;
  } else if constexpr (reads_components<Program> || draws_masks<Program>) {
    return rewrite_program<binding_rule<Set, typename Program::aggregation_types>>(program);
  } else {
    return program;
  }
}

}  // namespace edgewise::inline v0::detail
