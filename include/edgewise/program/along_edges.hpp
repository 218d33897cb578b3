// Dense products evaluated edge by edge: their matrix in registers, nothing of their width gathered.
#pragma once

#include <type_traits>
#include <utility>

#include <edgewise/expression/arithmetic.hpp>
#include <edgewise/expression/component.hpp>
#include <edgewise/expression/concat.hpp>
#include <edgewise/expression/gather_node.hpp>
#include <edgewise/expression/linear.hpp>
#include <edgewise/expression/rewrite.hpp>
#include <edgewise/expression/roles.hpp>
#include <edgewise/expression/scatter_node.hpp>
#include <edgewise/expression/vertex_value.hpp>
#include <edgewise/program/input_rows.hpp>
#include <edgewise/program/place.hpp>
#include <edgewise/program/unit_program.hpp>

namespace edgewise::inline v0 {

/// An option of `fuse`: the products `linear<W>(x)` in messages are formed for every edge, of x with `Inputs` elements
/// a row; edges gather x, and not the products, which may be 64 times as wide (FeatGraph, SC 2020, section III-B: MLP
/// aggregation). The matrix stays in registers, so that Inputs is small: 8 in that paper. x is an expression of
/// operands alone, each wide with Inputs elements a row or of one number, and read by products alone; products of
/// anything else and those above gathers are formed for vertices, as without the option. Which of the two moves and
/// computes less, a plan says (`explain`).
template <int Inputs>
struct along_edges {
  static_assert(Inputs >= 1 && Inputs <= 32, "along_edges: between 1 and 32 elements of a row fit registers");
};

namespace detail {

template <class Option>
inline constexpr int inputs_along_edges = 0;
template <int Inputs>
inline constexpr int inputs_along_edges<along_edges<Inputs>> = Inputs;

template <class E>
struct is_no_operand : std::bool_constant<is_linear<E>::value || is_vertex_value<E>::value || is_per_vertex<E>::value ||
                                          is_gather<E>::value || is_softmax<E>::value || is_concat<E>::value ||
                                          is_dropout<E> || is_channel_sum<E>::value || is_head_sum<E>::value> {};
/// May a product of X be formed edge by edge?
template <class X>
inline constexpr bool is_of_operands = !any_node<is_no_operand, X>::value;

/// Element Index of every operand.
template <int Length, int Index>
struct input_rule {
  static constexpr bool renames_leaves = true;
  template <class E>
  static constexpr bool takes = is_leaf<E>;
  template <role Role, class Name>
  static constexpr auto apply(leaf<Role, Name> const&) {
    return leaf<Role, component<input_row<Name>, Index, Length>>{};
  }
};
template <class W, int Inputs, int Index, class X>
constexpr auto sum_of_inputs(X const& x) {
  auto const last = rewrite<input_rule<Inputs, Index>>(x) * param<matrix_row<W, Index>>;
  if constexpr (Index == 0) {
    return last;
  } else {
    return sum_of_inputs<W, Inputs, Index - 1>(x) + last;
  }
}

template <int Inputs>
struct products_along_edges;
template <int Inputs>
struct products_in_messages {
  template <class E>
  static constexpr bool takes = is_linear<E>::value || is_gather<E>::value || is_vertex_value<E>::value;
  template <class E>
  static constexpr auto apply(E const& e) {  // what vertices decide
    if constexpr (is_gather<E>::value) {
      return products_along_edges<Inputs>::apply(e);
    } else {
      return rewrite_arguments<products_along_edges<Inputs>>(e);
    }
  }
  template <class W, class X>
  static constexpr auto apply(linear_node<W, X> const& e) {
    if constexpr (is_of_operands<X>) {
      return sum_of_inputs<W, Inputs, Inputs - 1>(e.arg);
    } else {
      return rewrite_arguments<products_in_messages>(e);
    }
  }
};
/// A program whose products in messages are sums over the elements of x.
template <int Inputs>
struct products_along_edges {
  template <class E>
  static constexpr bool takes = is_gather<E>::value || is_scatter<E>::value;
  template <class G, class M>
  static constexpr auto apply(gather_node<G, M> const& e) {
    return gather<G>(rewrite<products_in_messages<Inputs>>(e.message));
  }
  template <class M>
  static constexpr auto apply(scatter_node<M> const& e) {
    return scatter(rewrite<products_in_messages<Inputs>>(e.arg));
  }
};

/// A lowered program some of whose products are formed edge by edge.
template <class Lowered, int Inputs>
struct program_along_edges {
  Lowered lowered;
};

template <class Program>
inline constexpr bool is_along_edges = false;
template <class Lowered, int Inputs>
inline constexpr bool is_along_edges<program_along_edges<Lowered, Inputs>> = true;
template <int Inputs, class Lowered>
constexpr program_along_edges<Lowered, Inputs> make_program_along_edges(Lowered const& lowered) {
  return {lowered};
}

}  // namespace detail
}  // namespace edgewise::inline v0
