// The backward pass over ungrouped edges: one traversal forms the gradients of both endpoints, of edges and parameters.
#pragma once

#include <edgewise/kernel/gradient_sink.hpp>
#include <edgewise/kernel/scatter_forward_pass.hpp>
#include <edgewise/kernel/unit_backward.hpp>
#include <edgewise/program/layout.hpp>
#include <edgewise/program/lower.hpp>

namespace edgewise::detail {

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

/// Table: the program's bound leaves and the fields of its unit; Targets: the bound gradients asked for. Gradients that
/// are scattered were cleared before, unless they are added to.
template <class Program, class Table, class Targets, class Offset, class Accumulator>
struct scatter_backward_pass {
  using accumulator = Accumulator;
  using target_leaves = typename leaves_of_table<Targets>::type;
  using needed = typename all_backward_needs<typename Program::unit_types, target_leaves,
                                             std::make_integer_sequence<int, Program::num_units>>::type;
  using tables = scatter_tables<Table, needed>;
  using source_targets = bound_in_role<role::source, Targets>;
  using destination_targets = bound_in_role<role::destination, Targets>;
  using edge_targets = bound_in_role<role::edge, Targets>;
  using scattered_targets = concat_types<source_targets, destination_targets, edge_targets>;
  using parameter_targets = bound_in_role<role::parameter, Targets>;
  using gather_type = typename only_unit<Program>::gather_type;
  static constexpr bool has_parameter_targets = parameter_targets::size > 0;
  static constexpr bool scatters_to_sources = source_targets::size > 0;
  static constexpr bool scatters_to_destinations = destination_targets::size > 0;
  static constexpr bool needs_edge = edge_targets::size > 0 || gather_type::reads_edge;
  static constexpr layout_need need =
      find_layout_need<units_sum_lanes<true, typename Program::unit_types>::value, Table, Targets>();

  Program program;
  operand_pointers<Table> operands;
  gradient_pointers<Targets> gradients;

  template <class Geometry>
  struct state {
    adjoint_sums<Geometry, Accumulator, 1, parameter_targets> parameters;
  };

  template <int Blocks, class Env, class Index, class Geometry>
  EDGEWISE_HD void step(Env const& env, edge_block<Blocks, Index, Offset> const& block, state<Geometry>& s) const {
    // The sink keeps each edge's own adjoints of all that varies from edge to edge: endpoints as well as edges.
    using sink_type = gradient_sink<Geometry, Accumulator, Blocks, type_list<>, scattered_targets, parameter_targets>;
    typename sink_type::row_sums no_rows;
    typename sink_type::edge_sums sums;
    sums.clear(env.geo);
    sink_type sink{no_rows, sums, s.parameters, block.ok};
    pull_unit<0, Blocks>(get<0>(program.units), env, block.edges, sink);
    sums.for_each([&](auto tag, auto const& sum) {
      using bound = typename decltype(tag)::type;
      auto const whole = complete_sum<bound::kind>(env.geo, sum);
      EDGEWISE_UNROLL
      for (int b = 0; b < Blocks; ++b) {
        if (block.ok[b]) leave_gradient<bound>(env.geo, row_of<bound::leaf::role_of>(block, b), whole, b);
      }
    });
  }

private:
  template <role Role, class Block>
  EDGEWISE_HD static std::int64_t row_of(Block const& block, int b) {
    if constexpr (Role == role::source) return static_cast<std::int64_t>(block.sources[b]);
    if constexpr (Role == role::destination) return static_cast<std::int64_t>(block.destinations[b]);
    return static_cast<std::int64_t>(block.edges[b]);
  }

  template <class Bound, class Geometry, class V>
  EDGEWISE_HD void leave_gradient(Geometry const& geo, std::int64_t row, V const& x, int block) const {
    auto const& to = gradients.template of<Bound>();
    if constexpr (is_scattered<typename Bound::leaf, typename Program::leaves>::value) {
      // Where the gather reads edges (an extremum), all but one edge of a row have adjoint 0.
      scatter_add_row<Bound::kind, gather_type::reads_edge>(geo, to.data, to.row_stride, row, x, block);
    } else if (to.accumulate) {
      store_row<Bound::kind, true>(geo, to.data, to.row_stride, row, x, block);
    } else {
      store_row<Bound::kind, false>(geo, to.data, to.row_stride, row, x, block);
    }
  }
};

}  // namespace edgewise::detail
