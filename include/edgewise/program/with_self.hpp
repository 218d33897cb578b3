// with_self: a virtual self edge of every vertex inside a gather, without adding loops to the graph.
#pragma once

#include <edgewise/program/gather_node.hpp>

namespace edgewise {

/// The operand that the self edge reads in place of edge<Name>: a row by vertex, `bind<self<w>>(per_row(...))`.
template <class Name>
struct self {};

/// A message that also runs along a virtual edge from every vertex to itself (fuseGNN, ICCAD 2020, section 4: self
/// weights inside the kernel). On it src<x> reads row v of x, and edge<w> reads row v of dst<self<w>>.
template <class Message>
struct with_self_node {
  using edgewise_expression = void;
  using arguments = type_list<Message>;
  using leaves = typename Message::leaves;
  Message message;
};

/// gather<G>(with_self(m)): G over a row's edges and then its self edge, whose id is the number of edges plus the row:
/// equal to the graph with a loop appended to every vertex. Needs as many sources as destinations.
template <expression Message>
constexpr auto with_self(Message const& message) {
  return with_self_node<Message>{message};
}

namespace detail {

/// Stands where a unit has no self edge.
struct no_self {
  using leaves = type_list<>;
};

template <class E>
struct self_message_impl {
  static constexpr auto apply(E const& e) { return e; }
};
template <class Name>
struct self_message_impl<leaf<role::source, Name>> {
  static constexpr auto apply(leaf<role::source, Name> const&) { return leaf<role::destination, Name>{}; }
};
template <class Name>
struct self_message_impl<leaf<role::edge, Name>> {
  static constexpr auto apply(leaf<role::edge, Name> const&) { return leaf<role::destination, self<Name>>{}; }
};
/// The message as it reads on a self edge.
template <class E>
constexpr auto self_message(E const& e) {
  return self_message_impl<E>::apply(e);
}
template <class Op, class... A>
struct self_message_impl<node<Op, A...>> {
  template <int... I>
  static constexpr auto rebuild(node<Op, A...> const& e, std::integer_sequence<int, I...>) {
    using result = node<Op, std::remove_cvref_t<decltype(self_message(get<I>(e.args)))>...>;
    return result{e.op, {{{self_message(get<I>(e.args))}...}}};
  }
  static constexpr auto apply(node<Op, A...> const& e) {
    return rebuild(e, std::make_integer_sequence<int, sizeof...(A)>{});
  }
};
template <class A>
struct self_message_impl<lane_sum_node<A>> {
  static constexpr auto apply(lane_sum_node<A> const& e) {
    auto const a = self_message(e.arg);
    return lane_sum_node<std::remove_cvref_t<decltype(a)>>{a};
  }
};
template <class Name, class Number, class Rate, class A>
struct self_message_impl<dropout_node<Name, Number, Rate, A>> {
  static constexpr auto apply(dropout_node<Name, Number, Rate, A> const& e) {
    auto const a = self_message(e.arg);
    return dropout_node<Name, Number, Rate, std::remove_cvref_t<decltype(a)>>{a, e.rate};
  }
};
template <class A>
struct self_message_impl<softmax_node<A>> {
  static constexpr auto apply(softmax_node<A> const& e) {
    auto const a = self_message(e.arg);
    return softmax_node<std::remove_cvref_t<decltype(a)>>{a};
  }
};

}  // namespace detail
}  // namespace edgewise
