// Which gradients the pass over argument edges forms: those of messages of which max or min pick one edge per channel.
#pragma once

#include <edgewise/program/gradient_plan.hpp>
#include <edgewise/program/layout.hpp>
#include <edgewise/program/needs.hpp>
#include <edgewise/program/stash.hpp>

namespace edgewise::inline v0::detail {

/// Do all aggregations of a program pick edges, by messages that are evaluated channel by channel and draw nothing?
template <class Aggregations>
inline constexpr bool aggregations_pick_edges = false;
template <class... Aggregation>
inline constexpr bool aggregations_pick_edges<type_list<Aggregation...>> =
    (aggregation_picks_edge<Aggregation> && ...) && !(aggregation_sums_channels<Aggregation> || ...);

template <class L>
struct is_drawn_leaf : std::bool_constant<is_random_leaf<L> || is_number_leaf<L>> {};

/// Gradients of sources that one pass forms at most: where more are asked for, plans traverse.
inline constexpr int most_argument_gradients = 16;

/// Program with Table as it is bound. Requests: gradients asked for; Traits: program_traits.
template <class Program, class Table, class Traits, class... Request>
struct argument_plan {
  using plan_type = gradient_plan<Program, Table, Request...>;
  using aggregation_leaves = typename Program::leaves;

  /// Every channel of the aggregations' values is one of each gradient's.
  template <class Bound>
  struct has_other_kind {
    static constexpr bool value = []<int... I>(std::integer_sequence<int, I...>) {
      return ((Traits::template aggregation_kind<I> != Bound::kind) || ...);
    }
    (typename Traits::indices{});
  };
  template <class Bound>
  struct is_component_target : std::bool_constant<is_component<typename Bound::leaf>> {};

  using target_leaves = filter_types<plan_type::template requested, aggregation_leaves>;
  using targets = typename plan_type::template target_table<target_leaves>::type;
  using source_targets = bound_in_role<role::source, targets>;
  using destination_targets = bound_in_role<role::destination, targets>;
  using edge_targets = bound_in_role<role::edge, targets>;
  /// Gradients that are stored by whoever visits the row: no other row has any part in them.
  using own_targets = concat_types<destination_targets, edge_targets>;

  /// May a gradient of an edge and one of a vertex go to one tensor?
  template <class Bound>
  struct has_endpoint_name {
    static constexpr bool value = []<class... L>(type_list<L...>) {
      return (((L::role_of == role::source || L::role_of == role::destination) &&
               std::is_same_v<typename L::name, typename Bound::leaf::name>) ||
              ...);
    }(aggregation_leaves{});
  };

  static constexpr bool program_fits =
      aggregations_pick_edges<typename Program::aggregation_types> && stashed_of<Program>::type::size == 0 &&
      filter_types<is_drawn_leaf, aggregation_leaves>::size == 0 && !reads_role<role::relation, aggregation_leaves>;
  static constexpr bool serves =
      program_fits && targets::size > 0 && (source_targets::size + own_targets::size == targets::size) &&
      (source_targets::size <= most_argument_gradients) && filter_types<has_other_kind, targets>::size == 0 &&
      filter_types<is_component_target, targets>::size == 0 && filter_types<has_endpoint_name, edge_targets>::size == 0;

  template <class Leaf>
  static constexpr bool is_shared = []<class... B>(type_list<B...>) {
    auto const meets = []<class R>(type_tag<R>) {
      return targets_leaf<typename R::target, Leaf> && ((targets_leaf<typename R::target, typename B::leaf>) || ...);
    };
    return (meets(type_tag<Request>{}) || ...);
  }(source_targets{});
};

/// Source operands of which the pass may be asked for gradients, whatever the request: what a plan makes room for.
template <class Program, class Table, class Traits>
struct sources_of_arguments {
  template <class Bound>
  struct has_value_kind : std::bool_constant<Bound::kind == Traits::template aggregation_kind<0>> {};
  static constexpr int value = [] {
    if constexpr (argument_plan<Program, Table, Traits>::program_fits) {
      using read = bound_subset<typename Program::leaves, bound_in_role<role::source, Table>>;
      return static_cast<int>(filter_types<has_value_kind, read>::size);
    } else {
      return 0;
    }
  }();
};

}  // namespace edgewise::inline v0::detail
