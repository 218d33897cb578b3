// The node that turns edges into vertices: `gather<G>(message)`, a value of the destination's row.
#pragma once

#include <edgewise/expression/arithmetic.hpp>
#include <edgewise/expression/dropout.hpp>
#include <edgewise/expression/head_sum.hpp>
#include <edgewise/gather/concept.hpp>

namespace edgewise::inline v0 {

/// `softmax(x)` over the edges of a destination: a factor of the message of a sum. Fused as an online softmax (Milakov
/// & Gimelshein 2018): one traversal, nothing of the size of the edges is written.
template <class Arg>
struct softmax_node : unary_node<softmax_node, Arg> {};

/// softmax of a message over the incoming edges of its destination.
template <expression A>
constexpr auto softmax(A const& a) {
  return softmax_node<A>{{a}};
}

/// The gather of a message over the edges of each destination. Above it everything is per vertex (the epilogue).
template <class Gather, class Message>
struct gather_node {
  static_assert(require_gather<Gather>::ok);
  using edgewise_expression = void;
  using leaves = type_list<>;  // of the epilogue; the message's own leaves belong to its traversal
  static constexpr role role_of = role::destination;
  using gather_type = Gather;
  using message_type = Message;
  Message message;
};

/// `gather<sum>(edge<w> * src<h>)`: collects a message over the incoming edges of each destination.
template <class Gather, expression Message>
constexpr auto gather(Message const& message) {
  return gather_node<Gather, Message>{message};
}

/// Chosen for a number in place of a message, to say so.
template <class Gather, class Number>
requires std::is_arithmetic_v<Number>
auto gather(Number) {
  static_assert(sizeof(Number) == 0,
                "gather: a number is no message; write constant(1.0) for one that is the same along every edge");
}

namespace detail {

template <class E>
struct is_softmax : std::false_type {};
template <class A>
struct is_softmax<softmax_node<A>> : std::true_type {};
template <class E>
struct is_gather : std::false_type {};
template <class G, class M>
struct is_gather<gather_node<G, M>> : std::true_type {};

template <class E>
inline constexpr bool has_softmax = any_node<is_softmax, E>::value;
template <class E>
inline constexpr bool has_gather = any_node<is_gather, E>::value;

}  // namespace detail
}  // namespace edgewise::inline v0
