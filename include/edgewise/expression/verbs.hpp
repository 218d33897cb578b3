// The verbs of MLSys'22 (Zhang et al., section 2.1 and appendix A.1; fuseGNN's and Seastar's have the same meaning):
// other words for the same expressions, so that a model in verbs and one in formulas are one program.
#pragma once

#include <edgewise/expression/functor.hpp>
#include <edgewise/expression/scatter_node.hpp>
#include <edgewise/expression/vertex_value.hpp>

namespace edgewise::inline v0 {

namespace detail {

template <class F>
concept names_value = requires {
  typename std::void_t<decltype(&F::template value<float>)>;
};
/// An operation on its own, as in `operation::multiply{}`.
template <class F>
inline constexpr bool is_operation = names_value<F>;

template <class E>
constexpr E const& without_scatter(E const& e) {
  return e;
}
template <class M>
constexpr M const& without_scatter(scatter_node<M> const& e) {
  return e.arg;
}

template <class F, class... A>
concept makes_expression = requires(F const& f, A const&... args) {
  requires expression<decltype(f(args...))>;
};
/// Is f a function of expressions? One of scalars that fits too is `T operator()(T, ...)`, and would return its
/// argument's type.
template <class F, class First, class... Rest>
consteval bool is_function_of_expressions() {
  if constexpr (makes_expression<F, First, Rest...>) {
    return !std::is_same_v<
        decltype(std::declval<F const&>()(std::declval<First const&>(), std::declval<Rest const&>()...)), First>;
  } else {
    return false;
  }
}

/// f of some expressions: an operation, a function of expressions such as a lambda, or else a functor of scalars.
template <class F, class... A>
constexpr auto call_verb(F const& f, A const&... args) {
  if constexpr (is_operation<F>) {
    return make_node(f, args...);
  } else if constexpr (is_function_of_expressions<F, A...>()) {
    return f(args...);
  } else {
    return apply(f, args...);
  }
}

}  // namespace detail

/// Scatter and ApplyEdge: the value of every edge that f makes of endpoint and edge values.
///   scatter(operation::multiply{}, edge<w>, src<h>)
///   apply_edge([](auto x) { return leaky_relu(x, 0.2); }, scores)
/// f is an operation, a functor of scalars as `apply` takes it, or a function of expressions, such as a lambda: it runs
/// when the program is built, and is no part of it. A value of edges is a program (one row of output per edge), or part
/// of one.
template <class F, class... A>
requires detail::operands<A...>
constexpr auto scatter(F const& f, A const&... args) {
  return scatter(detail::call_verb(f, detail::without_scatter(args)...));
}
template <class F, class... A>
requires detail::operands<A...>
constexpr auto apply_edge(F const& f, A const&... args) { return scatter(f, args...); }

/// ApplyVertex: f of values of the row, which are gathers, destinations and parameters. f is what `scatter` takes.
template <class F, class... A>
requires detail::operands<A...>
constexpr auto apply_vertex(F const& f, A const&... args) {
  static_assert(
      !(detail::has_scatter<detail::as_expression_t<A>> || ...),
      "apply_vertex: takes values of vertices, not of edges; gather first, or use apply_edge (expression/verbs.hpp)");
  return detail::call_verb(f, args...);
}

/// Aggregate: gathers what f makes of each edge, `gather<G>(apply_edge(f, args...))`.
template <class Gather, class F, class... A>
requires detail::operands<A...>
constexpr auto aggregate(F const& f, A const&... args) {
  return gather<Gather>(detail::call_verb(f, detail::without_scatter(args)...));
}

/// softmax of a value over the edges of each destination, a value of edges again: as a program it is the output, times
/// something inside `gather<sum>` it is fused with the sum.
template <expression A>
constexpr auto edge_softmax(A const& a) {
  return scatter(softmax(detail::without_scatter(a)));
}

/// The reduction of `reduce_scatter`: exp(x) over its sum.
struct softmax_over_edges;

/// ReduceScatter: reduces a value over the edges of each destination and gives it back to each edge. Of
/// `softmax_over_edges`, which is fused, it is `edge_softmax(x)`: each edge gets its share; of a gather the value of
/// its row, `over_row<Reduction>(x)`.
template <class Reduction, expression A>
constexpr auto reduce_scatter(A const& a) {
  if constexpr (std::is_same_v<Reduction, softmax_over_edges>) {
    return edge_softmax(a);
  } else {
    return scatter(over_row<Reduction>(detail::without_scatter(a)));
  }
}

}  // namespace edgewise::inline v0
