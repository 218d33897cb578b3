// Programs as their bindings make them: under sum_over, operands that have no components are themselves, and masks have
// the axes of what they drop.
#pragma once

#include <edgewise/expression/rewrite.hpp>
#include <edgewise/program/bindings.hpp>
#include <edgewise/program/edge_program.hpp>
#include <edgewise/program/lower.hpp>
#include <edgewise/program/mask_shapes.hpp>
#include <edgewise/program/stashing_program.hpp>

namespace edgewise::detail {

/// Leaves under bindings of type Set. Units: those of the program.
template <class Set, class Units>
struct binding_rule {
  template <role Role, class Name>
  static constexpr auto at(leaf<Role, Name> const& l) {
    if constexpr (is_component<leaf<Role, Name>>) {
      if constexpr (vec_length<view_bound_to<leaf<Role, Name>, Set>> == 0) {
        return whole_leaf<leaf<Role, Name>>{};
      } else {
        return l;
      }
    } else {
      return l;
    }
  }
};

template <class Set, class Units, class Name, class Number, class Rate, class A, class Shape>
struct rewrite_impl<binding_rule<Set, Units>, dropout_node<Name, Number, Rate, A, Shape>> {
  using rule = binding_rule<Set, Units>;
  static constexpr auto apply(dropout_node<Name, Number, Rate, A, Shape> const& e) {
    using shape = typename bound_mask_shape<rewritten<rule, Shape>, Units, Set>::type;
    return dropout_node<Name, Number, Rate, rewritten<rule, A>, shape>{rewrite<rule>(e.arg), e.rate};
  }
};
template <class Rule, class G, class M>
struct rewrite_impl<Rule, reduce_unit<G, M>> {
  static constexpr auto apply(reduce_unit<G, M> const& unit) {
    return reduce_unit<G, rewritten<Rule, M>>{rewrite<Rule>(unit.message)};
  }
};
template <class Rule, class S, class V>
struct rewrite_impl<Rule, softmax_unit<S, V>> {
  static constexpr auto apply(softmax_unit<S, V> const& unit) {
    return softmax_unit<rewritten<Rule, S>, rewritten<Rule, V>>{rewrite<Rule>(unit.score), rewrite<Rule>(unit.value)};
  }
};
template <class Rule, class M>
struct rewrite_impl<Rule, edge_unit<M>> {
  static constexpr auto apply(edge_unit<M> const& unit) {
    return edge_unit<rewritten<Rule, M>>{rewrite<Rule>(unit.message)};
  }
};
template <class Rule, class S, class V>
struct rewrite_impl<Rule, edge_softmax_unit<S, V>> {
  static constexpr auto apply(edge_softmax_unit<S, V> const& unit) {
    return edge_softmax_unit<rewritten<Rule, S>, rewritten<Rule, V>>{rewrite<Rule>(unit.score),
                                                                     rewrite<Rule>(unit.value)};
  }
};
template <class Rule, class... E>
constexpr auto rewrite_all(pack<E...> const& items) {
  return [&]<int... I>(std::integer_sequence<int, I...>) {
    return pack<rewritten<Rule, E>...>{{{rewrite<Rule>(get<I>(items))}...}};
  }
  (std::make_integer_sequence<int, sizeof...(E)>{});
}
template <class Rule, class E, class... U, class... S>
struct rewrite_impl<Rule, lowered_program<E, type_list<U...>, type_list<S...>>> {
  using result =
      lowered_program<rewritten<Rule, E>, type_list<rewritten<Rule, U>...>, type_list<rewritten<Rule, S>...>>;
  static constexpr auto apply(lowered_program<E, type_list<U...>, type_list<S...>> const& p) {
    return result{rewrite<Rule>(p.epilogue), rewrite_all<Rule>(p.units), rewrite_all<Rule>(p.selves)};
  }
};
template <class Rule, class Lowered, class... E>
struct rewrite_impl<Rule, stashing_program<Lowered, type_list<E...>>> {
  static constexpr auto apply(stashing_program<Lowered, type_list<E...>> const& p) {
    return stashing_program<rewritten<Rule, Lowered>, type_list<rewritten<Rule, E>...>>{
        rewrite<Rule>(static_cast<Lowered const&>(p))};
  }
};
template <class Rule, class Unit>
struct rewrite_impl<Rule, edge_program<Unit>> {
  static constexpr auto apply(edge_program<Unit> const& p) {
    return edge_program<rewritten<Rule, Unit>>{rewrite_all<Rule>(p.units)};
  }
};

template <class L>
struct is_component_leaf : std::bool_constant<is_component<L>> {};
template <class Program>
inline constexpr bool reads_components =
    filter_types<is_component_leaf, concat_types<typename Program::leaves, typename Program::self_leaves,
                                                 typename Program::epilogue_type::leaves>>::size > 0;

/// A lowered program as it reads operands of the kinds that are bound.
template <class Program, class Set>
constexpr auto with_components_of(Program const& program, Set const&) {
  if constexpr (reads_components<Program> || draws_masks<Program>) {
    return rewrite<binding_rule<Set, typename Program::unit_types>>(program);
  } else {
    return program;
  }
}

}  // namespace edgewise::detail
