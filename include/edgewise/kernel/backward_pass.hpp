// The backward pass over one grouping: trace a block of messages, pull their adjoints, keep or store the gradients.
#pragma once

#include <edgewise/kernel/gradient_sink.hpp>
#include <edgewise/kernel/traverse.hpp>
#include <edgewise/kernel/unit_backward.hpp>
#include <edgewise/program/layout.hpp>
#include <edgewise/program/lower.hpp>

namespace edgewise::detail {

/// Gradients of leaves in role Fixed (the endpoint that rows are grouped by), of edge leaves and of parameters.
/// Table: the program's bound leaves and the fields of its units; Targets: the bound gradients asked for.
template <class Program, class Table, class Targets, role Fixed, class Offset, class Accumulator>
struct backward_pass {
  using accumulator = Accumulator;
  using offset_type = Offset;
  using target_leaves = typename leaves_of_table<Targets>::type;
  using needed = typename all_backward_needs<typename Program::unit_types, target_leaves,
                                             std::make_integer_sequence<int, Program::num_units>>::type;
  using tables = pass_tables<Table, needed, Fixed>;
  using row_targets = bound_in_role<Fixed, Targets>;
  using edge_targets = bound_in_role<role::edge, Targets>;
  using parameter_targets = bound_in_role<role::parameter, Targets>;
  static constexpr bool has_parameter_targets = parameter_targets::size > 0;
  static constexpr layout_need need =
      find_layout_need<units_sum_lanes<true, typename Program::unit_types>::value, Table, laid_out_targets<Targets>>();
  static constexpr int wide_states = static_cast<int>(row_targets::size + parameter_targets::size + edge_targets::size);

  template <class Units>
  struct edge_reads;
  template <class... Unit>
  struct edge_reads<type_list<Unit...>> {
    template <class U>
    struct test : std::false_type {};
    template <class G, class M>
    struct test<reduce_unit<G, M>> : std::bool_constant<G::reads_edge> {};
    static constexpr bool value = (test<Unit>::value || ...);
  };
  static constexpr bool needs_edge = edge_targets::size > 0 || edge_reads<typename Program::unit_types>::value;

  Program program;
  operand_pointers<Table> operands;
  gradient_pointers<Targets> gradients;

  template <class Geometry>
  struct state {
    adjoint_sums<Geometry, Accumulator, 1, row_targets> rows;
    adjoint_sums<Geometry, Accumulator, 1, parameter_targets> parameters;
  };

  template <class Geometry>
  EDGEWISE_HD void start(Geometry const& geo, state<Geometry>& s) const {
    s.rows.clear(geo);
  }
  template <int Blocks, class Env, class Geometry>
  EDGEWISE_HD void step(Env const& env, bool const (&ok)[Blocks], Offset const (&edges)[Blocks], state<Geometry>& s) const {
    using sink_type = gradient_sink<Geometry, Accumulator, Blocks, row_targets, edge_targets, parameter_targets>;
    typename sink_type::edge_sums edge_sums;
    edge_sums.clear(env.geo);
    sink_type sink{s.rows, edge_sums, s.parameters, ok};
    for_each_index<Program::num_units>(
        [&](auto i) { pull_unit<decltype(i)::value, Blocks>(get<decltype(i)::value>(program.units), env, edges, sink); });
    edge_sums.for_each([&](auto tag, auto const& sum) {
      using bound = typename decltype(tag)::type;
      auto const whole = complete_sum<bound::kind>(env.geo, sum);
      EDGEWISE_UNROLL
      for (int b = 0; b < Blocks; ++b) {
        if (ok[b]) store_gradient<bound>(env.geo, static_cast<std::int64_t>(edges[b]), whole, b);
      }
    });
  }

  /// Row sums with their sums over threads taken: what slots hold and what is stored.
  template <class Geometry>
  EDGEWISE_HD void complete_state(Geometry const& geo, state<Geometry>& s) const {
    s.rows.for_each([&](auto tag, auto& sum) {
      auto const whole = complete_sum<decltype(tag)::type::kind>(geo, sum);
      for_each_entry<std::remove_cvref_t<decltype(sum)>>(geo, [&](int, int c, int l) { sum.at(0, c, l) = whole.at(0, c, l); });
    });
  }
  template <class Geometry>
  EDGEWISE_HD void merge(Geometry const& geo, state<Geometry>& into, state<Geometry> const& later) const {
    into.rows.for_each([&](auto tag, auto& sum) {
      auto const& other = slot_value<typename decltype(tag)::type::leaf>(later.rows);
      for_each_entry<std::remove_cvref_t<decltype(sum)>>(geo, [&](int, int c, int l) { sum.at(0, c, l) += other.at(0, c, l); });
    });
  }
  template <class State, class F>
  EDGEWISE_HD static void components(State& s, F const& f) {
    s.rows.for_each([&](auto, auto& sum) { f(sum); });
  }
  template <class Geometry, class Index, class Fixed_>
  EDGEWISE_HD void finish(Geometry const& geo, Index row, Offset, bool live, Fixed_ const&, state<Geometry>& s) const {
    if (!live) return;
    s.rows.for_each([&](auto tag, auto const& sum) {
      store_gradient<typename decltype(tag)::type>(geo, static_cast<std::int64_t>(row), sum, 0);
    });
  }

private:
  template <class Bound, class Geometry, class V>
  EDGEWISE_HD void store_gradient(Geometry const& geo, std::int64_t row, V const& x, int block) const {
    auto const& to = gradients.template of<Bound>();
    if (to.accumulate) {
      store_row<Bound::kind, true>(geo, to.data, to.row_stride, row, x, block);
    } else {
      store_row<Bound::kind, false>(geo, to.data, to.row_stride, row, x, block);
    }
  }
};

}  // namespace edgewise::detail
