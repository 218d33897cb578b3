// Which leaves a pass has to load: everything a message's value depends on, or only what its derivatives read.
#pragma once

#include <edgewise/program/edge_program.hpp>
#include <edgewise/program/stashed_node.hpp>
#include <edgewise/program/unit.hpp>

namespace edgewise::detail {

/// Does E depend on any leaf of Targets?
template <class Targets, class Leaves>
struct any_target;
template <class Targets, class... L>
struct any_target<Targets, type_list<L...>> : std::bool_constant<(contains_type<L, Targets> || ...)> {};
template <class E, class Targets>
inline constexpr bool depends_on = any_target<Targets, typename E::leaves>::value;

/// The leaves that the value of E is computed from: of what was kept, the operand that holds it.
template <class E>
struct value_leaves {
  using type = typename E::leaves;
};
template <class Op, class... A>
struct value_leaves<node<Op, A...>> {
  using type = unique_types<concat_types<typename value_leaves<A>::type...>>;
};
template <class A>
struct value_leaves<head_sum_node<A>> : value_leaves<A> {};
template <class A>
struct value_leaves<lane_sum_node<A>> : value_leaves<A> {};
template <class Name, class Number, class Rate, class A, class Shape>
struct value_leaves<dropout_node<Name, Number, Rate, A, Shape>> {
  using type = unique_types<
      concat_types<typename value_leaves<A>::type, typename dropout_node<Name, Number, Rate, A, Shape>::mask_leaves>>;
};
template <class Original, class E>
struct value_leaves<stashed_node<Original, E>> {
  using type = type_list<stash_leaf<Original>>;
};

/// What the partial derivative by argument I reads: bit j = argument j, bit 31 = the result. Operations may narrow it
/// down with `template <int I> static constexpr unsigned reads`; by default everything is read.
inline constexpr unsigned reads_result = 1u << 31;
template <class Op, int I>
consteval unsigned partial_reads() {
  if constexpr (requires { Op::template reads<I>; }) {
    return Op::template reads<I>;
  } else {
    return ~0u;
  }
}

/// The leaves whose values are read when an adjoint is pulled from E to Targets.
template <class E, class Targets>
struct pull_needs {
  using type = type_list<>;  // leaves and constants
};
template <class A, class Targets>
struct pull_needs<head_sum_node<A>, Targets> : pull_needs<A, Targets> {};
template <class A, class Targets>
struct pull_needs<lane_sum_node<A>, Targets> : pull_needs<A, Targets> {};
template <class Name, class Number, class Rate, class A, class Shape, class Targets>
struct pull_needs<dropout_node<Name, Number, Rate, A, Shape>, Targets> {
  using mask = typename dropout_node<Name, Number, Rate, A, Shape>::mask_leaves;
  using type = std::conditional_t<depends_on<A, Targets>,
                                  unique_types<concat_types<mask, typename pull_needs<A, Targets>::type>>, type_list<>>;
};

/// Result: the leaves that the node's own value comes from.
template <class Node, class Result, class Targets, int I, class Arg, class Indices>
struct argument_needs;
template <class Op, class... Args, class Result, class Targets, int I, class Arg, int... J>
struct argument_needs<node<Op, Args...>, Result, Targets, I, Arg, std::integer_sequence<int, J...>> {
  static constexpr unsigned mask = partial_reads<Op, I>();
  using read_arguments =
      concat_types<std::conditional_t<(mask >> J & 1u) != 0, typename value_leaves<Args>::type, type_list<>>...>;
  static consteval auto find() {
    if constexpr (!depends_on<Arg, Targets>) {
      return type_tag<type_list<>>{};
    } else if constexpr ((mask & reads_result) != 0) {
      return type_tag<concat_types<Result, read_arguments, typename pull_needs<Arg, Targets>::type>>{};
    } else {
      return type_tag<concat_types<read_arguments, typename pull_needs<Arg, Targets>::type>>{};
    }
  }
  using type = typename decltype(find())::type;
};

template <class Node, class Result, class Targets, class Indices>
struct node_needs;
template <class Op, class... Args, class Result, class Targets, int... I>
struct node_needs<node<Op, Args...>, Result, Targets, std::integer_sequence<int, I...>> {
  using type = unique_types<concat_types<
      typename argument_needs<node<Op, Args...>, Result, Targets, I, Args, std::integer_sequence<int, I...>>::type...>>;
};
template <class Op, class... Args, class Targets>
struct pull_needs<node<Op, Args...>, Targets>
    : node_needs<node<Op, Args...>, typename value_leaves<node<Op, Args...>>::type, Targets,
                 std::make_integer_sequence<int, sizeof...(Args)>> {};
template <class Original, class A, class Targets>
struct pull_needs<stashed_node<Original, lane_sum_node<A>>, Targets> : pull_needs<A, Targets> {};
template <class Original, class Op, class... Args, class Targets>
struct pull_needs<stashed_node<Original, node<Op, Args...>>, Targets>
    : node_needs<node<Op, Args...>, type_list<stash_leaf<Original>>, Targets,
                 std::make_integer_sequence<int, sizeof...(Args)>> {};

/// The field leaves that unit I of type Unit reads in the backward pass.
template <int I, class Unit>
struct field_leaves;
template <int I, class Fields>
struct field_leaves_of;
template <int I, class... F>
struct field_leaves_of<I, type_list<F...>> {
  using type = type_list<leaf<role::destination, unit_field<I, F>>...>;
};
template <int I, class G, class M>
struct field_leaves<I, reduce_unit<G, M>> : field_leaves_of<I, typename G::reads> {};
template <int I, class S, class V>
struct field_leaves<I, softmax_unit<S, V>>
    : field_leaves_of<I, type_list<gradient_field, normalizer_field, inner_field>> {};

/// All leaves that the backward pass of unit I loads for Targets; empty when the unit depends on none of them.
template <int I, class Unit, class Targets>
struct backward_needs;
template <int I, class G, class M, class Targets>
struct backward_needs<I, reduce_unit<G, M>, Targets> {
  using type = std::conditional_t<
      depends_on<M, Targets>,
      unique_types<concat_types<typename field_leaves<I, reduce_unit<G, M>>::type,
                                std::conditional_t<G::reads_message, typename value_leaves<M>::type, type_list<>>,
                                typename pull_needs<M, Targets>::type>>,
      type_list<>>;
};
template <int I, class M, class Targets>
struct backward_needs<I, edge_unit<M>, Targets> {
  using type = std::conditional_t<
      depends_on<M, Targets>,
      unique_types<concat_types<type_list<edge_gradient_leaf>, typename pull_needs<M, Targets>::type>>, type_list<>>;
};
/// Gradient: the leaf of the adjoint of softmax(score) * value.
template <int I, class Gradient, class S, class V, class Targets>
struct softmax_backward_needs {
  using normalizer = leaf<role::destination, unit_field<I, normalizer_field>>;
  using inner = leaf<role::destination, unit_field<I, inner_field>>;
  // The value's adjoint needs the probability and the gradient; the score's also the value and the inner term.
  using type = unique_types<concat_types<
      std::conditional_t<depends_on<V, Targets>,
                         concat_types<type_list<Gradient, normalizer>, typename value_leaves<S>::type,
                                      typename pull_needs<V, Targets>::type>,
                         type_list<>>,
      std::conditional_t<depends_on<S, Targets>,
                         concat_types<type_list<Gradient, normalizer, inner>, typename value_leaves<S>::type,
                                      typename value_leaves<V>::type, typename pull_needs<S, Targets>::type>,
                         type_list<>>>>;
};
template <int I, class S, class V, class Targets>
struct backward_needs<I, softmax_unit<S, V>, Targets>
    : softmax_backward_needs<I, leaf<role::destination, unit_field<I, gradient_field>>, S, V, Targets> {};
template <int I, class S, class V, class Targets>
struct backward_needs<I, edge_softmax_unit<S, V>, Targets>
    : softmax_backward_needs<I, edge_gradient_leaf, S, V, Targets> {};

template <class Units, class Targets, class Indices>
struct all_backward_needs;
template <class... Unit, class Targets, int... I>
struct all_backward_needs<type_list<Unit...>, Targets, std::integer_sequence<int, I...>> {
  using type = unique_types<concat_types<typename backward_needs<I, Unit, Targets>::type...>>;
};

}  // namespace edgewise::detail
