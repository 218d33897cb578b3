// The cost of a program's passes on a graph, from the types of its operands, outputs and gradients and the graph's
// sizes.
#pragma once

#include <edgewise/core/extents.hpp>
#include <edgewise/cost/count_aggregation_flops.hpp>
#include <edgewise/cost/count_bytes.hpp>
#include <edgewise/fields/backward_traversal.hpp>
#include <edgewise/fields/program_traits.hpp>
#include <edgewise/pass/argument_pass.hpp>
#include <edgewise/pass/backward_pass.hpp>
#include <edgewise/pass/pass_traits.hpp>
#include <edgewise/program/argument_plan.hpp>
#include <edgewise/program/gradient_plan.hpp>
#include <edgewise/program/stash.hpp>

namespace edgewise::inline v0::detail {

/// A gradient as types, where none has been asked for yet: of Leaf, stored as T.
template <class Leaf, class T>
struct assumed_request {
  using target = Leaf;
  struct view_type {
    using value_type = T;
  };
  static constexpr bool accumulates = false;
};

/// Adds the gradients of a stage. One that is added to what is there is read besides.
template <stage Now, class Plan, class... Request>
struct gradient_bytes {
  template <class Bound>
  static constexpr int times = 1 + ((targets_leaf<typename Request::target, typename Bound::leaf> &&
                                     (Request::accumulates || Plan::template written_before<Now, Request>)) ||
                                    ...);
  template <class... Bound>
  static double of_row(type_list<Bound...>, [[maybe_unused]] row_extents extents) {
    return (0.0 + ... + (times<Bound> * bytes_of_row(type_list<Bound>{}, extents)));
  }
  template <role Fixed, class Targets>
  static void add(traversal_cost& cost, row_extents extents) {
    cost.row_bytes += of_row(bound_in_role<Fixed, Targets>{}, extents);
    cost.edge_bytes += of_row(bound_in_role<role::edge, Targets>{}, extents);
    cost.parameter_bytes += of_row(bound_in_role<role::parameter, Targets>{}, extents);
  }
};

/// All gradients that a graph allows, each stored as its operand is, one per role.
template <class Leaves, class Table, bool HasSource>
struct all_gradients {
  template <class L>
  struct has_gradient
      : std::bool_constant<!is_random_leaf<L> && !is_number_leaf<L> && (HasSource || L::role_of != role::source)> {};
  template <class L>
  using request = assumed_request<whole_leaf<L>, std::remove_const_t<typename bound_for<L, Table>::storage>>;
  template <class... L>
  static type_list<request<L>...> ask(type_list<L...>);
  using type = unique_types<decltype(ask(filter_types<has_gradient, Leaves>{}))>;
};

/// What the messages of aggregations that pick edges read towards Targets.
template <class Aggregations, class Targets>
struct argument_reads;
template <class... Aggregation, class Targets>
struct argument_reads<type_list<Aggregation...>, Targets> {
  using type = unique_types<concat_types<typename message_needs<Aggregation, Targets>::type...>>;
};

/// Graph, program and bindings of a plan: what they cost. Names of traversals are those of `explain`.
template <class Graph, class Program, class Bindings>
struct program_cost {
  using of_graph = graph_traits<Graph>;
  using Offset = typename of_graph::offset_type;
  using leaves = unique_types<concat_types<typename Program::leaves, typename Program::self_leaves,
                                           operand_leaves<typename Program::epilogue_type>>>;
  using table = typename operand_table<leaves, Bindings>::type;
  using accumulator = typename table_accumulator<table>::type;
  using aggregation_types = typename Program::aggregation_types;
  using traits = program_traits<Program, table, Offset, accumulator>;
  using first_operand = type_at<0, filter_types<is_operand_bound, table>>;
  using default_output = std::remove_const_t<typename first_operand::storage>;
  using every_gradient = typename all_gradients<leaves, table, of_graph::has_source>::type;

  Graph const& graph;
  row_extents extents;
  bool prepares_on_the_way = true;     ///< what edges read of destinations is prepared by the traversal that can
  bool has_destination_order = false;  ///< constant operands of edges lie in the order of rows by destination
  bool has_source_order = false;       ///< and by source
  bool visits_arguments = true;  ///< gradients that may go along argument edges do, whatever the engine finds faster

  /// saves: `saved` is given.
  template <class Out>
  plan_cost forward(bool saves) const {
    using expressions = forward_expressions<Program>;
    using pass = forward_pass<Program, table, Offset, accumulator, Out, traits::is_per_channel>;
    using values = concat_types<table, typename traits::template over_aggregations<typename traits::indices>::values>;
    bool const reads_ids =
        pass::template saved_for<aggregation_types>::any_needs_edge ||
        (saves && (traits::stash_table::size > 0 || pass::template saved_for<aggregation_types>::any_picks_edge));
    auto cost =
        cost_of_reading<table, typename pass::needed, typename expressions::vertex_leaves, role::destination, Bindings>(
            "forward", sizes_read<pass>(of_graph::by_destination(graph), has_destination_order), reads_ids, extents);
    cost.row_bytes += static_cast<double>(traits::out_elements(extents)) * static_cast<double>(sizeof(Out));
    if (saves) {
      cost.row_bytes += saved_bytes();
      cost.edge_bytes += stash_bytes();
    }
    flop_count const along = flops_of_values<typename expressions::edge_roots, role::destination, table>(extents);
    flop_count const at_vertices =
        flops_of_values<typename vertex_expressions<Program>::roots, role::destination, values>(extents);
    cost.edge_flops = static_cast<double>(along.edge + all_folds<aggregation_types, table>::count(extents));
    cost.row_flops = static_cast<double>(along.row + at_vertices.row +
                                         all_folds<typename Program::self_types, table>::count(extents));
    return {.traversals = {cost}};
  }

  /// Out: how the output's adjoint is stored.
  template <class Out, class... Request>
  plan_cost backward(type_list<Request...>) const {
    using plan = gradient_plan<Program, table, Request...>;
    plan_cost all;
    if constexpr (traits::template needs_vertex_stage<typename plan::vertex_targets>) {
      if (!prepares<Out, plan>()) all.traversals.push_back(vertex_stage<Out, plan, Request...>());
    }
    if constexpr (argument_plan<Program, table, traits, Request...>::serves) {
      if (visits_arguments) {
        all.traversals.push_back(along_argument<Out, argument_plan<Program, table, traits, Request...>, Request...>());
        return all;
      }
    }
    if constexpr (plan::runs_destination) {
      all.traversals.push_back(traversal<Out, plan, role::destination, stage::destination, Request...>(
          "backward by destination", of_graph::by_destination(graph)));
    }
    if constexpr (plan::runs_source && of_graph::has_source) {
      all.traversals.push_back(traversal<Out, plan, role::source, stage::source, Request...>(
          "backward by source", of_graph::by_source(graph)));
    }
    if constexpr (plan::runs_relation) {
      all.traversals.push_back(traversal<Out, plan, role::relation, stage::relation, Request...>(
          "backward by type", of_graph::by_type(graph)));
    }
    return all;
  }

  /// Bytes that are saved of each destination.
  double saved_bytes() const {
    double bytes = 0;
    traits::for_each_aggregation([&](auto i) {
      constexpr int I = decltype(i)::value;
      using fields = typename traits::template fields_of<I>;
      bytes +=
          static_cast<double>(elements_of_kind(fields::saved_kind, extents)) * size_of_all(typename fields::saved{});
      if (traits::template keeps_result<I>) {
        bytes += static_cast<double>(elements_of_kind(traits::template aggregation_kind<I>, extents)) *
                 static_cast<double>(sizeof(accumulator));
      }
    });
    return bytes;
  }
  /// Bytes that are kept of each edge.
  double stash_bytes() const { return bytes_of_row(typename traits::stash_table{}, extents); }

  /// Bytes of each edge that the traversal by destination hands to that by source where both run for these gradients.
  template <class... Request>
  double handed_bytes(type_list<Request...>) const {
    using plan = gradient_plan<Program, table, Request...>;
    if constexpr (traversal_types<default_output, plan, role::source>::hands_over) {
      return bytes_of_row(typename traits::template handed_as<accumulator>{}, extents);
    } else {
      return 0;
    }
  }

private:
  /// A grouping as a pass reads it: without ids where it needs none.
  template <class Pass, class Grouping>
  static grouping_sizes sizes_read(Grouping const& grouping, bool in_order) {
    grouping_sizes sizes = sizes_of(grouping);
    if (in_order && may_read_in_order<Pass, table>) sizes.edge_id_bytes = 0;
    return sizes;
  }
  template <class... S>
  static double size_of_all(type_list<S...>) {
    return (0.0 + ... + static_cast<double>(sizeof(S)));
  }

  template <class Out>
  using backward_table =
      concat_types<table, typename program_traits<Program, table, Offset, accumulator, Out>::field_table,
                   typename traits::stash_table>;
  template <class Out, class Plan, role Fixed>
  using traversal_types = backward_traversal<traits, Plan, backward_table<Out>, Fixed>;
  /// Does the traversal by destination prepare what edges read of theirs?
  template <class Out, class Plan>
  bool prepares() const {
    if constexpr (Plan::runs_destination) {
      return prepares_on_the_way && traversal_types<Out, Plan, role::destination>::pass::prepares_inner;
    } else {
      return false;
    }
  }

  template <class Out, class Plan, role Fixed, stage Now, class... Request, class Grouping>
  traversal_cost traversal(char const* name, Grouping const& grouping) const {
    using types = traversal_types<Out, Plan, Fixed>;
    using targets = typename types::targets;
    using program = typename types::program;
    using pass = typename types::pass;
    auto cost = cost_of_reading<typename types::table, typename pass::needed, type_list<>, Fixed, Bindings>(
        name, sizes_read<pass>(grouping, Fixed == role::destination ? has_destination_order : has_source_order),
        pass::needs_edge, extents);
    gradient_bytes<Now, Plan, Request...>::template add<Fixed, targets>(cost, extents);
    flop_count const flops = flops_of_backward<typename program::aggregation_types, typename pass::target_leaves, Fixed,
                                               typename types::table>(extents);
    cost.edge_flops = static_cast<double>(flops.edge);
    cost.row_flops = static_cast<double>(flops.row);
    if (pass::prepares_inner && prepares_on_the_way) {  // reads the output, and writes the term that it would read
      cost.row_bytes += static_cast<double>(traits::out_elements(extents)) * static_cast<double>(sizeof(Out));
      cost.row_flops += static_cast<double>(prepared_flops());
    }
    return cost;
  }

  /// Each channel of a row reads what it picked.
  template <class Out, class Argument, class... Request>
  traversal_cost along_argument() const {
    using stored = program_traits<Program, table, Offset, accumulator, Out>;
    using plan = typename Argument::plan_type;
    using read =
        bound_subset<typename argument_reads<aggregation_types, typename Argument::target_leaves>::type, table>;
    auto const& grouping = of_graph::by_destination(graph);
    auto const elements = static_cast<double>(elements_of_kind(traits::template aggregation_kind<0>, extents));
    auto const each_channel = [&]<class... Bound>(type_list<Bound...>) {
      return elements * (0.0 + ... + static_cast<double>(sizeof(typename Bound::storage)));
    };
    traversal_cost cost;
    cost.name = "backward along argument edges";
    cost.rows = grouping.num_rows;
    cost.neighbors = grouping.num_neighbors;
    cost.row_bytes = elements * traits::num_aggregations *
                         static_cast<double>(sizeof(typename stored::gradient_scalar) + sizeof(grouping.num_rows)) +
                     each_channel(bound_in_role<role::source, read>{}) +
                     each_channel(bound_in_role<role::edge, read>{}) +
                     bytes_of_row(bound_in_role<role::destination, read>{}, extents);
    gradient_bytes<stage::destination, plan, Request...>::template add<role::destination,
                                                                       typename Argument::own_targets>(cost, extents);
    cost.parameter_bytes =
        bytes_of_row(bound_in_role<role::parameter, read>{}, extents) +
        static_cast<double>(grouping.num_edges) * cost.edge_bytes +
        static_cast<double>(grouping.num_neighbors) *
            gradient_bytes<stage::source, plan, Request...>::of_row(typename Argument::source_targets{}, extents);
    cost.edge_bytes = 0;
    flop_count const flops = flops_of_backward<aggregation_types, typename Argument::target_leaves, role::destination,
                                               concat_types<table, typename stored::field_table>>(extents);
    cost.row_flops = static_cast<double>(flops.edge + flops.row);
    return cost;
  }

  /// Degrees are read, no edge is.
  template <class Out, class Plan, class... Request>
  traversal_cost vertex_stage() const {
    using stored = program_traits<Program, table, Offset, accumulator, Out>;
    using targets = typename Plan::vertex_targets;
    using target_leaves = typename leaves_of_table<targets>::type;
    using gradients = typename traits::template gradients_stored_as<Out const>::type;
    using vertex_table = concat_types<table, typename stored::kept_table, gradients>;
    using loaded = unique_types<concat_types<typename Plan::vertex_leaves, typename stored::kept_leaves,
                                             typename leaves_of_table<gradients>::type>>;
    using epilogue = typename Program::epilogue_type;
    using epilogue_targets = unique_types<concat_types<target_leaves, typename epilogue::leaves>>;
    grouping_sizes sizes = sizes_of(of_graph::by_destination(graph));
    sizes.edges = 0;
    auto cost = cost_of_reading<vertex_table, type_list<>, loaded, role::destination, Bindings>("backward, vertices",
                                                                                                sizes, false, extents);
    gradient_bytes<stage::vertex, Plan, Request...>::template add<role::destination, targets>(cost, extents);
    cost.row_bytes += prepared_bytes();
    auto flops =
        flops_of_values<typename pull_values<epilogue, epilogue_targets>::type, role::destination, vertex_table>(
            extents) +
        pull_count<type_list<epilogue>, epilogue_targets, role::destination, vertex_table, duration::row>::count(
            extents) +
        flops_of_backward<typename Program::self_types, target_leaves, role::destination, vertex_table, duration::row>(
            extents);
    cost.row_flops = static_cast<double>(flops.edge + flops.row + prepared_flops());
    return cost;
  }

  double prepared_bytes() const {
    double elements = 0;
    for_each_prepared([&](std::int64_t n, std::int64_t) { elements += static_cast<double>(n); });
    return elements * static_cast<double>(sizeof(accumulator));
  }
  /// A softmax's inner term is a product and a sum per element of its value; other fields are taken for one operation.
  std::int64_t prepared_flops() const {
    std::int64_t flops = 0;
    for_each_prepared([&](std::int64_t, std::int64_t n) { flops += n; });
    return flops;
  }
  /// Calls f(elements, flops) for what the stage leaves of each aggregation.
  template <class F>
  void for_each_prepared(F const& f) const {
    traits::for_each_aggregation([&](auto i) {
      constexpr int I = decltype(i)::value;
      using fields = typename traits::template fields_of<I>;
      std::int64_t const whole = elements_of_kind(traits::template aggregation_kind<I>, extents);
      std::int64_t const elements = fields::num_prepared * elements_of_kind(fields::prepared_kind, extents);
      if (traits::template prepares_gradient<I>) f(whole, 0);
      f(elements, fields::reads_result ? 2 * whole : elements);
    });
  }
};

}  // namespace edgewise::inline v0::detail
