// The backward pass over ungrouped edges: one traversal forms the gradients of both endpoints, of edges and parameters.
#pragma once

#include <edgewise/pass/aggregation_backward.hpp>
#include <edgewise/pass/coo_forward_pass.hpp>
#include <edgewise/pass/gradient_sink.hpp>
#include <edgewise/pass/launch_state.hpp>
#include <edgewise/pass/pass_concept.hpp>
#include <edgewise/program/gradient_pointer.hpp>
#include <edgewise/program/layout.hpp>
#include <edgewise/program/lower.hpp>

namespace edgewise::inline v0::detail {

/// Are gradients of Leaf added to rows that other edges add to? Those of endpoints are, and those of an edge operand
/// whose name the program also reads by endpoint, since they may go to one tensor.
template <class Leaf, class Leaves>
struct is_scattered;
template <class Leaf, class... L>
struct is_scattered<Leaf, type_list<L...>> {
  static constexpr bool is_endpoint(role r) { return r == role::source || r == role::destination; }
  static constexpr bool value =
      is_endpoint(Leaf::role_of) ||
      (Leaf::role_of == role::edge &&
       ((is_endpoint(L::role_of) && std::is_same_v<typename L::name, typename Leaf::name>) || ...));
};

/// Does the derivative of an aggregation depend on which edge it is asked for? All edges of an extremum but one have
/// adjoint 0.
template <class Aggregation>
inline constexpr bool aggregation_reads_edge = false;
template <class Gather, class Message>
inline constexpr bool aggregation_reads_edge<reduce_aggregation<Gather, Message>> = Gather::reads_edge;

/// Table: the program's bound leaves and the fields of its aggregation; Targets: the bound gradients asked for.
/// Gradients that are scattered were cleared before, unless they are added to.
template <class Program, class Table, class Targets, class Offset, class Accumulator>
struct coo_backward_pass : coo_pass {
  using accumulator = Accumulator;
  using target_leaves = typename leaves_of_table<Targets>::type;
  using needed = typename all_backward_needs<typename Program::aggregation_types, target_leaves,
                                             std::make_integer_sequence<int, Program::num_aggregations>>::type;
  using read_leaves = needed;
  using tables = coo_tables<Table, needed>;
  using loads = tables;
  using held = hoisted_expressions<typename roots_towards<typename Program::aggregation_types, target_leaves>::type,
                                   role::parameter>;
  template <class Geometry>
  using launch_leaves = needed;
  template <class Geometry>
  using launch_hoisted = typename held::template of<duration::launch>;
  using block_hoisted = typename held::template of<duration::block>;
  using launch_sums = hoisted_bounds<typename held::template of<duration::launch>, target_leaves, Table, Accumulator>;
  using block_sums = hoisted_bounds<block_hoisted, target_leaves, Table, Accumulator>;
  using source_targets = bound_in_role<role::source, Targets>;
  using destination_targets = bound_in_role<role::destination, Targets>;
  using edge_targets = bound_in_role<role::edge, Targets>;
  using scattered_targets = concat_types<source_targets, destination_targets, edge_targets>;
  using parameter_targets = bound_in_role<role::parameter, Targets>;
  static constexpr bool picks_edges = aggregation_reads_edge<only_aggregation<Program>>;
  static constexpr bool has_parameter_targets = parameter_targets::size > 0;
  static constexpr bool scatters_to_sources = source_targets::size > 0;
  static constexpr bool scatters_to_destinations = destination_targets::size > 0;
  static constexpr bool needs_edge = edge_targets::size > 0 || picks_edges;
  static constexpr bool sums_inside = any_pull_sums_channels<typename Program::aggregation_types, needed> ||
                                      has_narrow_sums<concat_types<launch_sums, block_sums>>;
  static constexpr layout_need need = find_layout_need<sums_inside, Table, Targets>();

  Program program;
  operand_pointers<Table> operands;
  gradient_pointers<Targets> gradients;

  template <class Geometry>
  using launch_sums_of = launch_state<Geometry, Accumulator, parameter_targets, launch_sums>;
  template <class Geometry>
  struct state : launch_sums_of<Geometry> {};
  template <class Env, class State>
  EDGEWISE_HD void finish_launch(Env const& launch, bool any, State& s) const {
    auto const ok = edge_mask<1>::one(any);
    with_sink<1>(launch.geo, s, ok, [&](auto& sink, auto&, auto&) {
      pull_hoisted<launch_hoisted<typename Env::geometry>::size>(program, launch, s.hoisted_parameters, sink);
    });
  }

  template <int Edges, class Env, class Index, class Geometry>
  EDGEWISE_HD void step(Env const& env, edge_block<Edges, Index, Offset> const& block, state<Geometry>& s) const {
    with_sink<Edges>(env.geo, s, block.ok, [&](auto& sink, auto& sums, auto& hoisted_sums) {
      hold(block_hoisted{}, program, env, [&](auto const& messages) {
        pull_aggregation<0, Edges>(get<0>(program.aggregations), messages, block.edges, sink);
        pull_hoisted<block_hoisted::size>(program, messages, hoisted_sums, sink);
      });
      sums.for_each([&](auto tag, auto const& sum) {
        using bound = typename decltype(tag)::type;
        auto const whole = complete_sum<bound::kind>(env.geo, sum);
        EDGEWISE_UNROLL
        for (int b = 0; b < Edges; ++b) {
          if (block.ok[b]) leave_gradient<bound>(env.geo, row_of<bound::leaf::role_of>(block, b), whole, b);
        }
      });
    });
  }

private:
  /// Calls f(sink, sums of edges, sums of what a block holds). The sink keeps each edge's own adjoints of all that
  /// varies from edge to edge: endpoints as well as edges.
  template <int Edges, class Geometry, class State, class F>
  EDGEWISE_HD void with_sink(Geometry const& geo, State& s, edge_mask<Edges> const& ok, F const& f) const {
    using target_sink = gradient_sink<Geometry, Accumulator, Edges, type_list<>, scattered_targets, parameter_targets>;
    using hoisting_sink = gradient_sink<Geometry, Accumulator, Edges, type_list<>, block_sums, launch_sums>;
    typename target_sink::row_sums no_rows;
    typename target_sink::edge_sums sums;
    typename hoisting_sink::edge_sums hoisted_sums;
    sums.clear(geo);
    hoisted_sums.clear(geo);
    target_sink targets{no_rows, sums, s.parameters, ok};
    hoisting_sink holds{no_rows, hoisted_sums, s.hoisted_parameters, ok};
    hoisted_sink<hoisting_sink, target_sink> sink{holds, targets};
    f(sink, sums, hoisted_sums);
  }
  template <role Role, class Block>
  EDGEWISE_HD static std::int64_t row_of(Block const& block, int b) {
    if constexpr (Role == role::source) return static_cast<std::int64_t>(block.sources[b]);
    if constexpr (Role == role::destination) return static_cast<std::int64_t>(block.destinations[b]);
    return static_cast<std::int64_t>(block.edges[b]);
  }

  template <class Bound, class Geometry, class V>
  EDGEWISE_HD void leave_gradient(Geometry const& geo, std::int64_t row, V const& x, int block) const {
    constexpr int stride = element_stride<typename Bound::leaf>;
    auto const& to = gradients.template of<Bound>();
    if constexpr (is_scattered<typename Bound::leaf, typename Program::leaves>::value) {
      scatter_add_row<Bound::kind, picks_edges, stride>(geo, to.data, to.row_stride, row, x, block);
    } else {
      store_row<Bound::kind, stride>(geo, to.data, to.row_stride, row, x, block, to.accumulate);
    }
  }
};

}  // namespace edgewise::inline v0::detail
