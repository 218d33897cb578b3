// The node that keeps a value of every edge: `scatter(message)`, the output of an edge program.
#pragma once

#include <edgewise/expression/gather_node.hpp>

namespace edgewise::inline v0 {

/// The value that a message has along each edge.
template <class Message>
struct scatter_node : unary_node<scatter_node, Message> {};

/// `scatter(dot(src<k>, dst<q>))`: a value of every edge, made of its endpoints (MLSys'22, section 2.1; gSDDMM). A
/// program that is a scatter writes one row per edge, by edge id; inside a larger message it is the message itself.
template <expression Message>
constexpr auto scatter(Message const& message) {
  return scatter_node<Message>{{message}};
}

namespace detail {

template <class E>
struct is_scatter : std::false_type {};
template <class M>
struct is_scatter<scatter_node<M>> : std::true_type {};
/// Is there a scatter that no gather encloses?
template <class E>
inline constexpr bool has_scatter = any_node<is_scatter, E>::value;

}  // namespace detail
}  // namespace edgewise::inline v0
