// Rewriting: an expression rebuilt with other leaves.
#pragma once

#include <edgewise/expression/gather_node.hpp>

namespace edgewise::detail {

/// Rule::at(l) is what stands in place of leaf l; whatever is neither node nor leaf stays.
template <class Rule, class E>
struct rewrite_impl {
  static constexpr auto apply(E const& e) { return e; }
};
template <class Rule, class E>
constexpr auto rewrite(E const& e) {
  return rewrite_impl<Rule, E>::apply(e);
}
template <class Rule, class E>
using rewritten = std::remove_cvref_t<decltype(rewrite<Rule>(std::declval<E const&>()))>;

template <class Rule, role Role, class Name>
struct rewrite_impl<Rule, leaf<Role, Name>> {
  static constexpr auto apply(leaf<Role, Name> const& l) { return Rule::at(l); }
};
template <class Rule, class Op, class... A>
struct rewrite_impl<Rule, node<Op, A...>> {
  template <int... I>
  static constexpr auto rebuild(node<Op, A...> const& e, std::integer_sequence<int, I...>) {
    return node<Op, rewritten<Rule, A>...>{e.op, {{{rewrite<Rule>(get<I>(e.args))}...}}};
  }
  static constexpr auto apply(node<Op, A...> const& e) {
    return rebuild(e, std::make_integer_sequence<int, sizeof...(A)>{});
  }
};
template <class Rule, class A>
struct rewrite_impl<Rule, head_sum_node<A>> {
  static constexpr auto apply(head_sum_node<A> const& e) {
    return head_sum_node<rewritten<Rule, A>>{rewrite<Rule>(e.arg)};
  }
};
template <class Rule, class A>
struct rewrite_impl<Rule, lane_sum_node<A>> {
  static constexpr auto apply(lane_sum_node<A> const& e) {
    return lane_sum_node<rewritten<Rule, A>>{rewrite<Rule>(e.arg)};
  }
};
template <class Rule, class Name, class Number, class Rate, class A, class Shape>
struct rewrite_impl<Rule, dropout_node<Name, Number, Rate, A, Shape>> {
  static constexpr auto apply(dropout_node<Name, Number, Rate, A, Shape> const& e) {
    using result = dropout_node<Name, Number, Rate, rewritten<Rule, A>, rewritten<Rule, Shape>>;
    return result{rewrite<Rule>(e.arg), e.rate};
  }
};
template <class Rule, class A>
struct rewrite_impl<Rule, softmax_node<A>> {
  static constexpr auto apply(softmax_node<A> const& e) {
    return softmax_node<rewritten<Rule, A>>{rewrite<Rule>(e.arg)};
  }
};

}  // namespace edgewise::detail
