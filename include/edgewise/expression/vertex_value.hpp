// Values of vertices in messages: `at_source(x)`, `at_destination(x)` and `over_row<G>(x)`, where x holds gathers.
#pragma once

#include <edgewise/expression/gather_node.hpp>

namespace edgewise::inline v0 {

/// What an expression over gathers is at the edge's source. A program that holds one takes a traversal more, which
/// computes the expression for every vertex (program/units.hpp). Needs as many sources as destinations.
template <class Value>
struct at_source_node : unary_node<at_source_node, Value> {
  static constexpr role role_of = role::source;
};
/// What it is at the edge's destination.
template <class Value>
struct at_destination_node : unary_node<at_destination_node, Value> {
  static constexpr role role_of = role::destination;
};

/// `gather<sum>(edge<w> * at_source(h))` with h an expression over gathers: two hops. Seastar (EuroSys 2021, section 5)
/// calls this the border from an aggregation to an edge.
template <expression Value>
constexpr auto at_source(Value const& value) {
  return at_source_node<Value>{{value}};
}
template <expression Value>
constexpr auto at_destination(Value const& value) {
  return at_destination_node<Value>{{value}};
}

/// The gather of x over the edges of the row, in messages along the same edges: `edge<w> / over_row<sum>(edge<w>)`,
/// `src<h> - over_row<mean>(src<h>)`. Of a row without edges no message reads it.
template <class Gather, expression X>
constexpr auto over_row(X const& x) {
  return at_destination(gather<Gather>(x));
}

namespace detail {

template <class E>
struct is_vertex_value : std::false_type {};
template <class Value>
struct is_vertex_value<at_source_node<Value>> : std::true_type {};
template <class Value>
struct is_vertex_value<at_destination_node<Value>> : std::true_type {};

}  // namespace detail
}  // namespace edgewise::inline v0
