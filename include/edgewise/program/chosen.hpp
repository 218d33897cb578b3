// Which parts of a program something above them chooses, so that an adjoint of 0 says that they were not chosen.
#pragma once

#include <edgewise/expression/selecting_sink.hpp>
#include <edgewise/gather/concept.hpp>
#include <edgewise/program/handed_softmax.hpp>
#include <edgewise/program/parts.hpp>
#include <edgewise/program/place.hpp>
#include <edgewise/program/stashed_node.hpp>

namespace edgewise::inline v0::detail {

/// Are all derivatives of an expression finite where its operands are? Operations say so of themselves:
/// `has_finite_slope`.
template <class E>
inline constexpr bool has_finite_slopes = is_any_constant<E>;
template <role Role, class Name>
inline constexpr bool has_finite_slopes<leaf<Role, Name>> = true;
template <class Op, class... A>
requires requires { requires Op::has_finite_slope; }
inline constexpr bool has_finite_slopes<node<Op, A...>> = (has_finite_slopes<A> && ...);
template <class A>
inline constexpr bool has_finite_slopes<channel_sum_node<A>> = has_finite_slopes<A>;

/// Does E choose its part I? Softmax chooses by weights of 0; a score is pulled so where that can matter only, since
/// scores are what its backward pass is busy with.
template <class E, int I>
inline constexpr bool chooses_part = node_chooses<E>;
template <class G, class M, int I>
inline constexpr bool chooses_part<reduce_aggregation<G, M>, I> = gather_chooses<G>;
template <class S, class V, int I>
inline constexpr bool chooses_part<softmax_aggregation<S, V>, I> = I == 1 || !has_finite_slopes<S>;
template <class S, class V, int I>
inline constexpr bool chooses_part<edge_softmax_aggregation<S, V>, I> = chooses_part<softmax_aggregation<S, V>, I>;
template <class S, class V, int I>
inline constexpr bool chooses_part<handed_softmax<S, V>, I> = chooses_part<softmax_aggregation<S, V>, I>;

/// Is E, somewhere below Root, below anything that chooses? `Chosen`: Root itself is.
template <class E, class Root, bool Chosen = false>
consteval bool is_chosen() {
  if constexpr (std::is_same_v<E, Root>) {
    return Chosen;
  } else {
    return []<class... Part, int... I>(type_list<Part...>, std::integer_sequence<int, I...>) {
      return (is_chosen < E, Part, Chosen || chooses_part < Root, I >> () || ...);
    }(typename parts<Root>::types{}, std::make_integer_sequence<int, parts<Root>::types::size>{});
  }
}

}  // namespace edgewise::inline v0::detail
