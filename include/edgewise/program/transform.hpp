// Rewriting the messages of a lowered program by a rule.
#pragma once

#include <edgewise/program/lower.hpp>

namespace edgewise::detail {

/// Rebuilds an expression or unit around its transformed parts; leaves and constants stay.
template <class Rule, class E>
struct transform_parts {
  static constexpr auto apply(E const& e) { return e; }
};

/// An expression or unit under a rule: `Rule::template takes<E>` says where the rule itself decides, by
/// `Rule::template apply(e)`, which may call `transform_parts`.
template <class Rule, class E>
constexpr auto transform(E const& e) {
  if constexpr (Rule::template takes<E>) {
    return Rule::apply(e);
  } else {
    return transform_parts<Rule, E>::apply(e);
  }
}
template <class Rule, class E>
using transformed = std::remove_cvref_t<decltype(transform<Rule>(std::declval<E const&>()))>;

template <class Rule, class Op, class... A>
struct transform_parts<Rule, node<Op, A...>> {
  template <int... I>
  static constexpr auto rebuild(node<Op, A...> const& e, std::integer_sequence<int, I...>) {
    return node<Op, transformed<Rule, A>...>{e.op, {{{transform<Rule>(get<I>(e.args))}...}}};
  }
  static constexpr auto apply(node<Op, A...> const& e) {
    return rebuild(e, std::make_integer_sequence<int, sizeof...(A)>{});
  }
};
template <class Rule, class A>
struct transform_parts<Rule, head_sum_node<A>> {
  static constexpr auto apply(head_sum_node<A> const& e) {
    return head_sum_node<transformed<Rule, A>>{transform<Rule>(e.arg)};
  }
};
template <class Rule, class A>
struct transform_parts<Rule, lane_sum_node<A>> {
  static constexpr auto apply(lane_sum_node<A> const& e) {
    return lane_sum_node<transformed<Rule, A>>{transform<Rule>(e.arg)};
  }
};
/// The extent of a mask is still that of the expression as it was written.
template <class Rule, class Name, class Number, class Rate, class A, class Shape>
struct transform_parts<Rule, dropout_node<Name, Number, Rate, A, Shape>> {
  static constexpr auto apply(dropout_node<Name, Number, Rate, A, Shape> const& e) {
    return dropout_node<Name, Number, Rate, transformed<Rule, A>, Shape>{transform<Rule>(e.arg), e.rate};
  }
};
template <class Rule, class G, class M>
struct transform_parts<Rule, reduce_unit<G, M>> {
  static constexpr auto apply(reduce_unit<G, M> const& unit) {
    return reduce_unit<G, transformed<Rule, M>>{transform<Rule>(unit.message)};
  }
};
template <class Rule, class S, class V>
struct transform_parts<Rule, softmax_unit<S, V>> {
  static constexpr auto apply(softmax_unit<S, V> const& unit) {
    return softmax_unit<transformed<Rule, S>, transformed<Rule, V>>{transform<Rule>(unit.score),
                                                                    transform<Rule>(unit.value)};
  }
};

/// A program with its messages along edges transformed, and by OtherRule those along self edges and the epilogue.
template <class Rule, class OtherRule, class E, class... U, class... S>
constexpr auto transform_program(lowered_program<E, type_list<U...>, type_list<S...>> const& p) {
  return [&]<int... I>(std::integer_sequence<int, I...>) {
    return lowered_program<transformed<OtherRule, E>, type_list<transformed<Rule, U>...>,
                           type_list<transformed<OtherRule, S>...>>{transform<OtherRule>(p.epilogue),
                                                                    {{{transform<Rule>(get<I>(p.units))}...}},
                                                                    {{{transform<OtherRule>(get<I>(p.selves))}...}}};
  }
  (std::make_integer_sequence<int, static_cast<int>(sizeof...(U))>{});
}

/// Changes nothing.
struct leave_as_is {
  template <class E>
  static constexpr bool takes = false;
};

}  // namespace edgewise::detail
