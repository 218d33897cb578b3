// `linear<W>(x)`: the dense product of a row with a matrix, of a vertex or along edges.
#pragma once

#include <edgewise/expression/concat.hpp>
#include <edgewise/expression/leaf.hpp>

namespace edgewise::inline v0 {

/// The dense product of a row and a matrix. A program that holds one takes a unit more, which multiplies the rows of
/// all vertices (program/lift.hpp); no pass evaluates this node.
template <class W, class X>
struct linear_node {
  using edgewise_expression = void;
  using arguments = type_list<X>;
  using leaves = typename X::leaves;
  using matrix = W;

  X arg;

  template <int I>
  EDGEWISE_HD constexpr X const& argument() const {
    static_assert(I == 0);
    return arg;
  }
  template <class A>
  constexpr auto with_arguments(A const& a) const {
    return linear_node<W, A>{a};
  }
};

/// `linear<W>(x)`, the dense product of a row with a matrix: y[head, channel] = sum over k of x[k] W[k, head, channel].
/// W is bound as `wide(data, inputs, heads, channels)`, its rows being the elements of x: heads x channels of x, one
/// head after the other. The result is wide, of the heads and channels of W, whatever those of x. W may also be stored
/// as x is not. A bias is a parameter, `linear<W>(x) + param<b>`.
///
/// Above gathers x is any value of the vertex. In messages it is a row of one endpoint, `src<h>`, `at_source(v)` or an
/// expression of them, or a sum, difference or concatenation of such: `linear<W>(concat(src<h>, dst<h>))`. The product
/// is then distributed, and each term is one product for every vertex, not for every edge: the operator reorganisation
/// of Zhang et al. (MLSys 2022, section 4). Of a concatenation W has the rows of the first part first.
template <class W, expression X>
constexpr auto linear(X const& x) {
  return linear_node<W, X>{x};
}

/// The value of an expression of one endpoint, computed once for every vertex and read along edges: a dot product
/// `per_vertex(dot(param<a>, src<h>))` is one number for each head and source, where the message alone would form it
/// for every edge. Above gathers it changes nothing.
template <class Value>
struct per_vertex_node : unary_node<per_vertex_node, Value> {};
template <expression Value>
constexpr auto per_vertex(Value const& value) {
  return per_vertex_node<Value>{{value}};
}

namespace detail {

template <class E>
struct is_linear : std::false_type {};
template <class W, class X>
struct is_linear<linear_node<W, X>> : std::true_type {};
template <class E>
struct is_per_vertex : std::false_type {};
template <class Value>
struct is_per_vertex<per_vertex_node<Value>> : std::true_type {};

}  // namespace detail
}  // namespace edgewise::inline v0
