// Which expressions a pass evaluates ahead of their place and holds in registers: those fixed for longer than an edge,
// and those that occur more than once.
#pragma once

#include <edgewise/expression/roles.hpp>
#include <edgewise/program/needs.hpp>
#include <edgewise/program/parts.hpp>
#include <edgewise/program/place.hpp>
#include <edgewise/program/stashing_program.hpp>

namespace edgewise::inline v0::detail {

/// For how long a value is fixed: the whole launch, one row, one block of edges.
enum class duration { launch, row, block };

/// Can E be hoisted at all? Leaves are in registers anyway.
template <class E>
inline constexpr bool is_hoistable = is_node<E>&& is_known_by_type<E>::value;

template <class List, class T>
struct append_type;
template <class... U, class T>
struct append_type<type_list<U...>, T> {
  using type = type_list<U..., T>;
};

/// The different expressions below roots that can be hoisted, arguments before what is made of them.
template <class Done, class Roots>
struct collect_expressions;
template <class Done>
struct collect_expressions<Done, type_list<>> {
  using type = Done;
};
template <class Done, class E>
struct collect_below {
  using below = typename collect_expressions<Done, typename parts<E>::types>::type;
  using type = typename std::conditional_t<is_hoistable<E>, append_type<below, E>, type_tag<below>>::type;
};
template <class Done, class E, class... Rest>
struct collect_expressions<Done, type_list<E, Rest...>>
    : collect_expressions<
          typename std::conditional_t<contains_type<E, Done>, type_tag<Done>, collect_below<Done, E>>::type,
          type_list<Rest...>> {};

template <class E, class... T>
consteval int count_type(type_list<T...>) {
  return (0 + ... + (std::is_same_v<E, T> ? 1 : 0));
}

/// The expressions of a pass over rows of role Fixed (role::parameter: no endpoint is fixed) below Roots, each
/// evaluated once where it is listed: `of<duration::launch>` and `of<duration::row>` where something that changes more
/// often reads it or it occurs twice, `of<duration::block>` where it occurs twice or is among Kept, what the pass
/// stores. Two occurrences of equal type are one: equal operations of equal arguments; constants and operations with
/// members are equal to themselves alone (program/place.hpp).
template <class Roots, role Fixed, class Kept = type_list<>>
struct hoisted_expressions {
  using all = typename collect_expressions<type_list<>, Roots>::type;

  template <class E>
  static constexpr duration duration_of = role_of_expression<E> == role::parameter ? duration::launch
                                          : role_of_expression<E> == Fixed         ? duration::row
                                                                                   : duration::block;

  /// How often E occurs where equal expressions are one.
  template <class E>
  static consteval int count_uses() {
    return count_type<E>(Roots{}) + count_type<E>(Kept{}) +
           []<class... N>(type_list<N...>) { return (0 + ... + count_type<E>(typename parts<N>::types{})); }(all{});
  }
  /// Does anything that changes more often read E?
  template <class E>
  static consteval bool outlives_a_reader() {
    return duration_of<E> != duration::block && (count_type<E>(Roots{}) > 0 || []<class... N>(type_list<N...>) {
             return ((duration_of<N> > duration_of<E> && count_type<E>(typename parts<N>::types{}) > 0) || ...);
           }(all{}));
  }

  template <duration D>
  struct lasts {
    template <class E>
    struct test : std::bool_constant<duration_of<E> == D && (count_uses<E>() > 1 || outlives_a_reader<E>())> {};
  };
  template <duration D>
  using of = filter_types<lasts<D>::template test, all>;

  /// The expressions that occur twice, whatever their duration.
  template <class E>
  struct occurs_twice : std::bool_constant<(count_uses<E>() > 1)> {};
  using shared = filter_types<occurs_twice, all>;
};

/// The expressions of aggregations that edges evaluate.
template <class Aggregation>
using aggregation_roots = typename parts<Aggregation>::types;

/// The roots of those aggregations that depend on Targets.
template <class Aggregations, class Targets>
struct roots_towards;
template <class... Aggregation, class Targets>
struct roots_towards<type_list<Aggregation...>, Targets> {
  using type = concat_types<
      std::conditional_t<depends_on<Aggregation, Targets>, aggregation_roots<Aggregation>, type_list<>>...>;
};

template <class Known>
struct outside_of {
  template <class E>
  struct test : std::bool_constant<!contains_type<E, Known>> {};
};
/// The types of List that are not among Known.
template <class List, class Known>
using types_without = filter_types<outside_of<Known>::template test, List>;

template <class L>
struct is_parameter : std::bool_constant<L::role_of == role::parameter> {};
template <class L>
struct is_operand_leaf : std::bool_constant<!is_aggregation_value_leaf<L>::value> {};

/// The leaves of an epilogue that are operands.
template <class Epilogue>
using operand_leaves = filter_types<is_operand_leaf, typename Epilogue::leaves>;

template <class E>
struct reads_gathers : std::bool_constant<(filter_types<is_aggregation_value_leaf, typename E::leaves>::size > 0)> {};
template <class E>
struct reads_no_gathers : std::bool_constant<!reads_gathers<E>::value> {};

/// The roots of a list of aggregations or selves.
template <class Aggregations>
struct roots_of_aggregations;
template <class... Aggregation>
struct roots_of_aggregations<type_list<Aggregation...>> {
  using type = concat_types<aggregation_roots<Aggregation>...>;
};

/// The expressions that vertices evaluate: the epilogue, and those along self edges, SelfRoots.
template <class Program, class SelfRoots = typename roots_of_aggregations<typename Program::self_types>::type>
struct vertex_expressions {
  using roots = concat_types<SelfRoots, type_list<typename Program::epilogue_type>>;
  using leaves =
      unique_types<concat_types<operand_leaves<typename Program::epilogue_type>, typename Program::self_leaves>>;
  using held = hoisted_expressions<roots, role::destination>;
  /// What occurs twice, before and after gathers are known.
  using shared_without_gathers = filter_types<reads_no_gathers, typename held::shared>;
  using shared_over_gathers = filter_types<reads_gathers, typename held::shared>;
};

/// The expressions of a forward pass.
template <class Program>
struct forward_expressions : vertex_expressions<Program> {
  using stashed = typename stashed_of<Program>::type;
  using vertex_leaves = typename vertex_expressions<Program>::leaves;
  using all_leaves = unique_types<concat_types<typename Program::leaves, vertex_leaves>>;
  using edge_roots = typename roots_of_aggregations<typename Program::aggregation_types>::type;
  using along_edges = hoisted_expressions<edge_roots, role::destination, stashed>;
  using everywhere = hoisted_expressions<concat_types<edge_roots, typename vertex_expressions<Program>::roots>,
                                         role::destination, stashed>;
};

}  // namespace edgewise::inline v0::detail
