// The cost of an edge program's passes on a graph; the counterpart of program_cost.hpp.
#pragma once

#include <edgewise/core/extents.hpp>
#include <edgewise/cost/program_cost.hpp>
#include <edgewise/fields/edge_traits.hpp>

namespace edgewise::inline v0::detail {

template <class Graph, class Aggregation, class Bindings>
struct program_cost<Graph, edge_program<Aggregation>, Bindings> {
  using program_type = edge_program<Aggregation>;
  using of_graph = graph_traits<Graph>;
  using Offset = typename of_graph::offset_type;
  using leaves = typename program_type::leaves;
  using table = typename operand_table<leaves, Bindings>::type;
  using accumulator = typename table_accumulator<table>::type;
  using traits = edge_traits<program_type, table, Offset, accumulator>;
  using first_operand = type_at<0, filter_types<is_operand_bound, table>>;
  using default_output = std::remove_const_t<typename first_operand::storage>;
  using every_gradient = typename all_gradients<leaves, table, of_graph::has_source>::type;
  static constexpr bool is_softmax = Aggregation::is_softmax;

  Graph const& graph;
  row_extents extents;

  /// A softmax's normalizers are written and read whether or not they are kept.
  template <class Out>
  plan_cost forward(bool) const {
    plan_cost all;
    if constexpr (is_softmax) {
      using aggregations = typename traits::normalizer_program_type::aggregation_types;
      auto cost = reading<typename traits::score_table, typename leaves_of_table<typename traits::score_table>::type>(
          "forward, normalizers", false);
      cost.row_bytes += saved_bytes();
      add_flops(cost,
                flops_of_values<typename roots_of_aggregations<aggregations>::type, role::destination, table>(extents) +
                    flop_count{all_folds<aggregations, table>::count(extents), 0});
      all.traversals.push_back(cost);
    }
    using stored = typename traits::store_program_type;
    auto cost = reading<typename traits::store_table, typename stored::leaves>("forward", true);
    cost.edge_bytes +=
        static_cast<double>(elements_of_kind(traits::out_kind, extents)) * static_cast<double>(sizeof(Out));
    add_flops(cost, flops_of_values<typename roots_of_aggregations<typename stored::aggregation_types>::type,
                                    role::destination, typename traits::store_table>(extents));
    all.traversals.push_back(cost);
    return all;
  }

  template <class Out, class... Request>
  plan_cost backward(type_list<Request...>) const {
    using plan = gradient_plan<program_type, table, Request...>;
    using backward_table = typename traits::template backward_table<Out>;
    plan_cost all;
    if constexpr (is_softmax) {
      using inner = inner_products<Aggregation, traits, Out>;
      using pass = typename inner::pass_type;
      auto cost = reading<backward_table, typename pass::needed>("backward, inner products", pass::needs_edge);
      cost.row_bytes += row_bytes_of<accumulator>();
      add_flops(cost, flops_of_backward<typename inner::program_type::aggregation_types, typename pass::target_leaves,
                                        role::destination, backward_table>(extents));
      all.traversals.push_back(cost);
    }
    if constexpr (plan::runs_destination) {
      all.traversals.push_back(traversal<Out, plan, role::destination, stage::destination, Request...>(
          "backward by destination", of_graph::by_destination(graph)));
    }
    if constexpr (plan::runs_source) {
      all.traversals.push_back(traversal<Out, plan, role::source, stage::source, Request...>(
          "backward by source", of_graph::by_source(graph)));
    }
    if constexpr (plan::runs_relation) {
      all.traversals.push_back(traversal<Out, plan, role::relation, stage::relation, Request...>(
          "backward by type", of_graph::by_type(graph)));
    }
    return all;
  }

  double saved_bytes() const { return is_softmax ? row_bytes_of<typename traits::normalizer>() : 0; }

private:
  template <class Field>
  double row_bytes_of() const {
    return static_cast<double>(elements_of_kind(traits::row_kind, extents)) * static_cast<double>(sizeof(Field));
  }
  template <class Table, class Needed>
  traversal_cost reading(char const* name, bool stores_edges) const {
    return cost_of_reading<Table, Needed, type_list<>, role::destination, Bindings>(
        name, sizes_of(of_graph::by_destination(graph)), stores_edges, extents);
  }
  static void add_flops(traversal_cost& cost, flop_count flops) {
    cost.edge_flops += static_cast<double>(flops.edge);
    cost.row_flops += static_cast<double>(flops.row);
  }

  template <class Out, class Plan, role Fixed, stage Now, class... Request, class Grouping>
  traversal_cost traversal(char const* name, Grouping const& grouping) const {
    using targets = typename Plan::template targets<Fixed>;
    using backward_table = typename traits::template backward_table<Out>;
    using pass = backward_pass<program_type, backward_table, targets, Fixed, Offset, accumulator>;
    auto cost = cost_of_reading<backward_table, typename pass::needed, type_list<>, Fixed, Bindings>(
        name, sizes_of(grouping), pass::needs_edge, extents);
    gradient_bytes<Now, Plan, Request...>::template add<Fixed, targets>(cost, extents);
    add_flops(cost, flops_of_backward<typename program_type::aggregation_types, typename pass::target_leaves, Fixed,
                                      backward_table>(extents));
    return cost;
  }
};

}  // namespace edgewise::inline v0::detail
