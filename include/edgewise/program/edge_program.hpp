// Edge programs: scatter(message) as a traversal runs it. One unit, whose value belongs to the edge.
#pragma once

#include <edgewise/program/scatter_node.hpp>
#include <edgewise/program/unit.hpp>

namespace edgewise {

/// The message of every edge, stored.
template <class Message>
struct edge_unit {
  using leaves = typename Message::leaves;
  static constexpr bool is_softmax = false;
  Message message;
};

/// Stands where a program has no vertex expression.
struct no_epilogue {
  using leaves = type_list<>;
};

/// What kernels run for scatter(message).
template <class Unit>
struct edge_program {
  using epilogue_type = no_epilogue;
  using unit_types = type_list<Unit>;
  using leaves = typename Unit::leaves;
  using self_leaves = type_list<>;
  static constexpr int num_units = 1;
  static constexpr bool has_self = false;
  pack<Unit> units;
};

namespace detail {

/// The adjoint of an edge program's output, a row by edge id: what its unit reads of the edge in the backward pass.
using edge_gradient_leaf = leaf<role::edge, unit_field<0, gradient_field>>;

template <class Unit>
constexpr auto make_edge_program(Unit const& unit) {
  return edge_program<Unit>{{{{unit}}}};
}

/// E: an expression with scatter in it.
template <class E>
constexpr auto lower_edge_program(E const& e) {
  static_assert(
      !has_gather<E>,
      "scatter: a program of edges cannot hold a gather; gather in one program, and read its value as an operand "
      "of another, as in scatter(src<h> * dst<sums>) (program/edge_program.hpp)");
  static_assert(!has_self<E>,
                "with_self: belongs directly inside a gather; a virtual edge has no row in an output of edges");
  static_assert(!has_softmax<E>,
                "softmax: must be a factor of the message of gather<sum>, as in gather<sum>(softmax(score) * value) "
                "(program/edge_program.hpp)");
  auto const message = give_places<0>(e).expr;
  return make_edge_program(edge_unit<std::remove_const_t<decltype(message)>>{message});
}

}  // namespace detail
}  // namespace edgewise
