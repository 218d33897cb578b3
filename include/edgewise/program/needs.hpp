// Which leaves a pass has to load: everything a message's value depends on, or only what its derivatives read.
#pragma once

#include <edgewise/program/aggregation.hpp>
#include <edgewise/program/edge_program.hpp>
#include <edgewise/program/handed_softmax.hpp>
#include <edgewise/program/softmax_so_far.hpp>
#include <edgewise/program/stashed_node.hpp>

namespace edgewise::inline v0::detail {

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
template <class List>
struct value_leaves_of;
template <class... E>
struct value_leaves_of<type_list<E...>> {
  using type = concat_types<type_list<>, typename value_leaves<E>::type...>;
};
/// The expressions that the value of E is computed from.
template <class E>
using value_arguments = std::conditional_t<is_stored<E>, type_list<>, typename argument_list<E>::type>;
template <class E>
requires is_node<E>
struct value_leaves<E> {
  using type =
      unique_types<concat_types<typename value_leaves_of<value_arguments<E>>::type, typename own_leaves<E>::type>>;
};

/// The leaves whose values are read when an adjoint is pulled from E to Targets.
template <class E, class Targets>
struct pull_needs {
  using type = type_list<>;  // leaves and constants
};
template <class E, class Targets, class Arguments, class Indices>
struct node_needs;
template <class E, class Targets, class... Arg, int... J>
struct node_needs<E, Targets, type_list<Arg...>, std::integer_sequence<int, J...>> {
  /// The leaves that are read on the way to argument I.
  template <int I, class To>
  static consteval auto towards() {
    if constexpr (!depends_on<To, Targets>) {
      return type_tag<type_list<>>{};
    } else {
      constexpr unsigned reads = reads_of_node<E, I>;
      return type_tag<
          concat_types<std::conditional_t<(reads & reads_result) != 0, typename value_leaves<E>::type, type_list<>>,
                       std::conditional_t<(reads & reads_own_leaves) != 0, typename own_leaves<E>::type, type_list<>>,
                       std::conditional_t<(reads >> J & 1u) != 0, typename value_leaves<Arg>::type, type_list<>>...,
                       typename pull_needs<To, Targets>::type>>{};
    }
  }
  using type = unique_types<concat_types<type_list<>, typename decltype(towards<J, Arg>())::type...>>;
};
template <class E, class Targets>
requires is_node<E>
struct pull_needs<E, Targets>
    : node_needs<E, Targets, typename E::arguments, std::make_integer_sequence<int, E::arguments::size>> {
};

/// The field leaves that aggregation I of type Aggregation reads in the backward pass.
template <int I, class Aggregation>
struct field_leaves;
template <int I, class Fields>
struct field_leaves_of;
template <int I, class... F>
struct field_leaves_of<I, type_list<F...>> {
  using type = type_list<leaf<role::destination, aggregation_field<I, F>>...>;
};
template <int I, class G, class M>
struct field_leaves<I, reduce_aggregation<G, M>> : field_leaves_of<I, typename G::reads> {};
template <int I, class S, class V>
struct field_leaves<I, softmax_aggregation<S, V>>
    : field_leaves_of<I, type_list<gradient_field, normalizer_field, inner_field>> {};

/// All leaves that the backward pass of aggregation I loads for Targets; empty when the aggregation depends on none of
/// them.
template <int I, class Aggregation, class Targets>
struct backward_needs;
template <int I, class G, class M, class Targets>
struct backward_needs<I, reduce_aggregation<G, M>, Targets> {
  using type = std::conditional_t<
      depends_on<M, Targets>,
      unique_types<concat_types<typename field_leaves<I, reduce_aggregation<G, M>>::type,
                                std::conditional_t<G::reads_message, typename value_leaves<M>::type, type_list<>>,
                                typename pull_needs<M, Targets>::type>>,
      type_list<>>;
};
template <int I, class M, class Targets>
struct backward_needs<I, edge_aggregation<M>, Targets> {
  using type = std::conditional_t<
      depends_on<M, Targets>,
      unique_types<concat_types<type_list<edge_gradient_leaf>, typename pull_needs<M, Targets>::type>>, type_list<>>;
};
/// Gradient: the leaf of the adjoint of softmax(score) * value.
template <int I, class Gradient, class S, class V, class Targets>
struct softmax_backward_needs {
  using normalizer = leaf<role::destination, aggregation_field<I, normalizer_field>>;
  using inner = leaf<role::destination, aggregation_field<I, inner_field>>;
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
struct backward_needs<I, softmax_aggregation<S, V>, Targets>
    : softmax_backward_needs<I, leaf<role::destination, aggregation_field<I, gradient_field>>, S, V, Targets> {};
template <int I, class L, class W, class V, class Targets>
struct backward_needs<I, softmax_so_far<L, W, V>, Targets> {
  using type = type_list<>;
};
template <int I, class S, class V, class Targets>
struct backward_needs<I, edge_softmax_aggregation<S, V>, Targets>
    : softmax_backward_needs<I, edge_gradient_leaf, S, V, Targets> {};
/// Values are not read, unless their derivatives read them.
template <int I, class S, class V, class Targets>
struct backward_needs<I, handed_softmax<S, V>, Targets> {
  using gradient = leaf<role::destination, aggregation_field<I, gradient_field>>;
  using type = unique_types<concat_types<
      std::conditional_t<
          depends_on<V, Targets>,
          concat_types<type_list<gradient, handed_weight_leaf<I>>, typename pull_needs<V, Targets>::type>, type_list<>>,
      std::conditional_t<depends_on<S, Targets>,
                         concat_types<type_list<handed_adjoint_leaf<I>>, typename pull_needs<S, Targets>::type>,
                         type_list<>>>>;
};

template <class Aggregations, class Targets, class Indices>
struct all_backward_needs;
template <class... Aggregation, class Targets, int... I>
struct all_backward_needs<type_list<Aggregation...>, Targets, std::integer_sequence<int, I...>> {
  using type = unique_types<concat_types<typename backward_needs<I, Aggregation, Targets>::type...>>;
};

}  // namespace edgewise::inline v0::detail
