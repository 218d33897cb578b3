// The cost of passes over edges that are not grouped; the counterpart of program_cost.hpp.
#pragma once

#include <edgewise/core/extents.hpp>
#include <edgewise/cost/program_cost.hpp>
#include <edgewise/fields/edge_traits.hpp>
#include <edgewise/pass/coo_backward_pass.hpp>

namespace edgewise::inline v0::detail {

/// What differs between gathers and programs of edges. Traits: those of the plan, `program_traits` or `edge_traits`.
template <class Program, class Table, class Traits>
struct coo_parts {
  static constexpr bool is_of_edges = false;
  template <class Out>
  using backward_table = concat_types<Table, typename program_traits<Program, Table, typename Traits::offset_type,
                                                                     typename Traits::accumulator, Out>::field_table>;
  static std::int64_t forward_flops(row_extents extents) {
    using aggregations = typename Program::aggregation_types;
    return flops_of_values<typename roots_of_aggregations<aggregations>::type, role::parameter, Table>(extents).edge +
           all_folds<aggregations, Table>::count(extents);
  }
};
template <class Aggregation, class Table, class Traits>
struct coo_parts<edge_program<Aggregation>, Table, Traits> {
  static constexpr bool is_of_edges = true;
  template <class Out>
  using backward_table = typename Traits::template backward_table<Out>;
  static std::int64_t forward_flops(row_extents extents) {
    using stored = typename Traits::store_program_type::aggregation_types;
    std::int64_t flops =
        flops_of_values<typename roots_of_aggregations<stored>::type, role::parameter, typename Traits::store_table>(
            extents)
            .edge;
    if constexpr (Aggregation::is_softmax) {
      using aggregations = typename Traits::normalizer_program_type::aggregation_types;
      flops +=
          flops_of_values<typename roots_of_aggregations<aggregations>::type, role::parameter, Table>(extents).edge +
          all_folds<aggregations, Table>::count(extents);
    }
    return flops;
  }
};

/// Fewest bytes of each pass, as if one traversal did it all: rows of sources are the gathered ones; rows of
/// destinations, outputs and gradients of endpoints count once each, wherever atomics add them up. What forms take
/// besides is not counted: clearing, words of extrema, and a softmax's other traversals over its scores.
template <class Coo, class Program, class Bindings, class Traits>
struct coo_cost {
  using leaves = typename Program::leaves;
  using table = typename operand_table<leaves, Bindings>::type;
  using parts = coo_parts<Program, table, Traits>;
  using first_operand = type_at<0, filter_types<is_operand_bound, table>>;
  using default_output = std::remove_const_t<typename first_operand::storage>;
  using every_gradient = typename all_gradients<leaves, table, true>::type;

  Coo coo;
  row_extents extents;
  double saved_bytes;  ///< of each destination

  template <class Out>
  plan_cost forward(bool saves) const {
    traversal_cost cost = reading<table, leaves>("forward", parts::is_of_edges);
    (parts::is_of_edges ? cost.edge_bytes : cost.row_bytes) +=
        static_cast<double>(elements_of_kind(Traits::out_kind, extents)) * static_cast<double>(sizeof(Out));
    if (saves) cost.row_bytes += saved_bytes;
    cost.edge_flops = static_cast<double>(parts::forward_flops(extents));
    return {.traversals = {cost}};
  }

  template <class Out, class... Request>
  plan_cost backward(type_list<Request...>) const {
    using plan = gradient_plan<Program, table, Request...>;
    using targets = typename plan::template target_table<filter_types<plan::template requested, leaves>>::type;
    using backward_table = typename parts::template backward_table<Out>;
    using pass =
        coo_backward_pass<Program, backward_table, targets, typename Traits::offset_type, typename Traits::accumulator>;
    using gradients = gradient_bytes<stage::vertex, plan, Request...>;
    traversal_cost cost = reading<backward_table, typename pass::needed>("backward", pass::needs_edge);
    gradients::template add<role::destination, targets>(cost, extents);
    cost.parameter_bytes +=
        static_cast<double>(cost.neighbors) * gradients::of_row(bound_in_role<role::source, targets>{}, extents);
    cost.edge_flops =
        static_cast<double>(flops_of_backward<typename Program::aggregation_types, typename pass::target_leaves,
                                              role::parameter, backward_table>(extents)
                                .edge);
    return {.traversals = {cost}};
  }

private:
  /// Reads: the leaves of Table that edges need. Both endpoints of each edge are read, whatever is read of them.
  template <class Table, class Reads>
  traversal_cost reading(char const* name, bool reads_ids) const {
    grouping_sizes const sizes{.rows = coo.num_destinations(),
                               .neighbors = coo.num_sources(),
                               .edges = static_cast<std::int64_t>(coo.num_edges),
                               .edge_id_bytes = coo.edge_ids ? static_cast<int>(sizeof(*coo.edge_ids)) : 0};
    auto cost =
        cost_of_reading<Table, Reads, type_list<>, role::destination, Bindings>(name, sizes, reads_ids, extents);
    cost.index_bytes += static_cast<double>(sizes.edges) * static_cast<double>(2 * sizeof(*coo.sources));
    return cost;
  }
};

}  // namespace edgewise::inline v0::detail
