// The backward pass over one grouping: trace a block of messages, pull their adjoints, keep or store the gradients.
#pragma once

#include <edgewise/pass/aggregation_backward.hpp>
#include <edgewise/pass/gradient_sink.hpp>
#include <edgewise/pass/launch_state.hpp>
#include <edgewise/pass/pass_concept.hpp>
#include <edgewise/pass/traverse.hpp>
#include <edgewise/program/gradient_pointer.hpp>
#include <edgewise/program/handed_softmax.hpp>
#include <edgewise/program/layout.hpp>
#include <edgewise/program/lower.hpp>

namespace edgewise::inline v0::detail {

/// Are adjoints of all scores pulled in parts?
template <class Aggregations, class Geometry>
inline constexpr bool pull_open_scores = false;
template <class... Aggregation, class Geometry>
inline constexpr bool pull_open_scores<type_list<Aggregation...>, Geometry> =
    (pulls_open_scores<Aggregation, Geometry> && ...);

/// Can the traversal by destination prepare what edges read of it itself: the inner term of one softmax sum, which the
/// program ends with? Its rows read the output's adjoint anyway, so that a stage over vertices would read it again.
template <class Program, class Needed, role Fixed>
consteval bool prepares_inner_term() {
  bool const is_bare = std::is_same_v<typename Program::epilogue_type, leaf<role::destination, aggregation_value<0>>>;
  return Fixed == role::destination && Program::num_aggregations == 1 && !Program::has_self && is_bare &&
         contains_type<field_leaf<0, inner_field>, Needed>;
}

/// What a traversal needs that prepares the inner term. Gradient: the bound leaf of the output's adjoint, which the
/// output is stored like.
template <class Gradient, class T>
struct inner_term {
  operand_pointer<Gradient> value;  ///< the output
  T* to = nullptr;                  ///< where the terms of rows are left; null where they are there already
};
struct no_inner_term {};
template <bool Prepares, class Table, class T>
struct inner_term_of {
  using type = no_inner_term;
};
template <class Table, class T>
struct inner_term_of<true, Table, T> {
  using type = inner_term<bound_for<field_leaf<0, gradient_field>, Table>, T>;
};

/// Gradients of leaves in role Fixed (the endpoint that rows are grouped by), of edge leaves and of parameters.
/// Table: the program's bound leaves and the fields of its aggregations; Targets: the bound gradients asked for.
template <class Program, class Table, class Targets, role Fixed, class Offset, class Accumulator>
struct backward_pass : row_pass {
  using accumulator = Accumulator;
  using offset_type = Offset;
  using table = Table;
  using target_leaves = typename leaves_of_table<Targets>::type;
  using needed = typename all_backward_needs<typename Program::aggregation_types, target_leaves,
                                             std::make_integer_sequence<int, Program::num_aggregations>>::type;
  using read_leaves = needed;
  using tables = pass_tables<Table, needed, Fixed>;
  using loads = tables;
  template <class Bound>
  struct is_narrow : std::bool_constant<extent_of_kind(Bound::kind) != extent::wide> {};
  using row_targets = bound_in_role<Fixed, Targets>;
  using edge_targets = bound_in_role<role::edge, Targets>;
  using parameter_targets = bound_in_role<role::parameter, Targets>;
  static constexpr bool has_parameter_targets = parameter_targets::size > 0;
  static constexpr bool has_edge_sums = filter_types<is_narrow, edge_targets>::size > 0;
  using aggregation_types = typename Program::aggregation_types;
  static constexpr int wide_states = static_cast<int>(row_targets::size + parameter_targets::size + edge_targets::size);
  static constexpr int narrow_targets = filter_types<is_narrow, Targets>::size;
  static constexpr int narrow_states = narrow_targets;

  using held =
      hoisted_expressions<typename roots_towards<typename Program::aggregation_types, target_leaves>::type, Fixed>;
  template <class Geometry>
  using launch_leaves = needed;
  template <class Geometry>
  using launch_hoisted = typename held::template of<duration::launch>;
  using row_hoisted = typename held::template of<duration::row>;
  using block_hoisted = typename held::template of<duration::block>;
  template <class List>
  using hoisted_table = hoisted_bounds<List, target_leaves, Table, Accumulator>;
  using launch_sums = hoisted_table<typename held::template of<duration::launch>>;
  using row_sums = hoisted_table<row_hoisted>;
  using block_sums = hoisted_table<block_hoisted>;
  static constexpr bool sums_inside = any_pull_sums_channels<typename Program::aggregation_types, needed> ||
                                      has_narrow_sums<concat_types<launch_sums, row_sums, block_sums>>;
  static constexpr layout_need need = find_layout_need<sums_inside, Table, laid_out_targets<Targets>>();
  using hoisted_registers = hoisted_demand<typename held::template of<duration::launch>, row_hoisted, block_hoisted,
                                           Table, Accumulator, concat_types<launch_sums, row_sums>>;

  template <class Aggregations>
  struct edge_reads;
  template <class... Aggregation>
  struct edge_reads<type_list<Aggregation...>> {
    template <class U>
    struct test : std::false_type {};
    template <class G, class M>
    struct test<reduce_aggregation<G, M>> : std::bool_constant<G::reads_edge> {};
    static constexpr bool value = (test<Aggregation>::value || ...);
  };
  static constexpr bool needs_edge = edge_targets::size > 0 || edge_reads<typename Program::aggregation_types>::value;

  using inner_leaf = field_leaf<0, inner_field>;
  template <class Bound>
  struct is_handed : std::bool_constant<is_handed_leaf<typename Bound::leaf>> {};
  static constexpr bool hands_over = filter_types<is_handed, edge_targets>::size > 0;
  template <class Geometry>
  static constexpr bool pulls_open = pull_open_scores<aggregation_types, Geometry> && !hands_over;
  static constexpr bool prepares_inner = prepares_inner_term<Program, needed, Fixed>();

  Program program;
  operand_pointers<Table> operands;
  gradient_pointers<Targets> gradients;
  typename inner_term_of<prepares_inner, Table, Accumulator>::type inner;

  template <class Geometry>
  using launch_sums_of = launch_state<Geometry, Accumulator, parameter_targets, launch_sums>;
  template <class Geometry>
  struct state : launch_sums_of<Geometry> {
    adjoint_sums<Geometry, Accumulator, 1, row_targets> rows;
    adjoint_sums<Geometry, Accumulator, 1, row_sums> hoisted_rows;
    bool any;  ///< edges so far
  };

  /// Called before the first row and after the last, for sums over all edges.
  template <class Geometry>
  EDGEWISE_HD void start_launch(Geometry const& geo, state<Geometry>& s) const {
    static_cast<launch_sums_of<Geometry>&>(s).start_launch(geo);
    s.any = false;
  }
  template <class Env, class State>
  EDGEWISE_HD void finish_launch(Env const& launch, State& s) const {
    static_cast<launch_sums_of<typename Env::geometry>&>(s).finish_launch(launch.geo);
    auto const ok = edge_mask<1>::one(s.any);
    with_sink<1>(launch.geo, s, ok, [&](auto& sink, auto&, auto&) {
      pull_hoisted<launch_hoisted<typename Env::geometry>::size>(program, launch, s.hoisted_parameters, sink);
    });
  }
  template <class Geometry>
  EDGEWISE_HD void start(Geometry const& geo, state<Geometry>& s) const {
    s.rows.clear(geo);
    s.hoisted_rows.clear(geo);
  }
  /// Pulls what was hoisted for the row. A row without edges has nothing to pull, and its derivatives may be infinite.
  template <class Env, class State>
  EDGEWISE_HD void finish_walk(Env const& row_env, std::int64_t num_edges, State& s) const {
    bool const any = num_edges > 0;
    if constexpr (launch_sums::size > 0) s.any = s.any || any;
    auto const ok = edge_mask<1>::one(any);
    with_sink<1>(row_env.geo, s, ok, [&](auto& sink, auto&, auto&) {
      pull_hoisted<row_hoisted::size>(program, row_env, s.hoisted_rows, sink);
    });
    s.count(row_env.geo, num_edges);
  }
  template <int Edges, class Env, class Geometry>
  EDGEWISE_HD void step(Env const& env, edge_mask<Edges> const& ok, Offset const (&edges)[Edges],
                        state<Geometry>& s) const {
    with_sink<Edges>(env.geo, s, ok, [&](auto& sink, auto& edge_sums, auto& hoisted_sums) {
      hold(block_hoisted{}, program, env, [&](auto const& messages) {
        for_each_index<Program::num_aggregations>([&](auto i) {
          constexpr int I = decltype(i)::value;
          pull_aggregation<I, Edges>(get<I>(program.aggregations), messages, edges, sink);
        });
        pull_hoisted<block_hoisted::size>(program, messages, hoisted_sums, sink);
      });
      edge_sums.for_each([&](auto tag, auto const& sum) {
        using bound = typename decltype(tag)::type;
        constexpr int stride = element_stride<typename bound::leaf>;
        auto const& to = gradients.template of<bound>();
        auto const store = [&](auto const& x) {
          store_edges<bound::kind, stride>(env.geo, to.data, to.row_stride, to.accumulate, edges, ok, x);
        };
        if constexpr (bound::kind == operand_kind::per_channel) {
          store(complete_sum<bound::kind>(env.geo, sum));
        } else {
          store(sum);
        }
      });
    });
  }

  template <class Geometry>
  EDGEWISE_HD void expect_row(Geometry const& geo, std::int64_t row) const {
    [&]<class... Bound>(type_list<Bound...>) {
      (expect_store(geo, gradients.template of<Bound>().data, gradients.template of<Bound>().row_stride, row), ...);
    }(filter_types<is_wide_bound, row_targets>{});
  }

  /// Row sums with their sums over threads taken: what slots hold and what is stored.
  template <class Geometry>
  EDGEWISE_HD void complete_state(Geometry const& geo, state<Geometry>& s) const {
    s.rows.for_each([&](auto tag, auto& sum) {
      auto const whole = complete_sum<decltype(tag)::type::kind>(geo, sum);
      for_each_lanes<std::remove_cvref_t<decltype(sum)>>(
          geo, [&](int, int c, auto l) { sum.at(0, c, l) = whole.at(0, c, l); });
    });
  }
  static constexpr bool rounds_rows = row_targets::size > 0;
  template <class State>
  EDGEWISE_HD static auto& row_part(State& s) {
    return s.rows;
  }
  template <class Geometry, class Rows>
  EDGEWISE_HD void merge_parts(Geometry const& geo, Rows& into, Rows const& later) const {
    into.add(geo, later);
  }
  template <class Geometry>
  EDGEWISE_HD void merge(Geometry const& geo, state<Geometry>& into, state<Geometry> const& later) const {
    into.rows.add(geo, later.rows);
  }
  template <class State, class F>
  EDGEWISE_HD static void components(State& s, F const& f) {
    s.rows.for_each([&](auto, auto& sum) { f(sum); });
  }
  /// Loads a row's own leaves.
  template <class Geometry, class Index, class Registers>
  EDGEWISE_HD void load_row(Geometry const& geo, Index row, Registers& values) const {
    using fixed = typename loads::needed_fixed;
    Index const rows[1] = {row};
    if constexpr (prepares_inner) {
      using inner_bound = bound_subset<type_list<inner_leaf>, fixed>;
      load_leaves(bound_without<type_list<inner_leaf>, fixed>{}, geo, operands, rows, values);
      if (inner.to == nullptr) {
        load_leaves(inner_bound{}, geo, operands, rows, values);
      } else {
        auto& term = slot_value<inner_leaf>(values);
        auto const& gradient = slot_value<field_leaf<0, gradient_field>>(values);
        std::remove_cvref_t<decltype(gradient)> result;
        load_rows(geo, inner.value, rows, result);
        auto const product = map(
            geo, [](Accumulator g, Accumulator v) { return g * v; }, gradient, result);
        auto const whole = complete(geo, fit<std::remove_cvref_t<decltype(term)>::extent_of>(geo, product));
        for_each_entry<std::remove_cvref_t<decltype(term)>>(
            geo, [&](int, int c, int l) { term.at(0, c, l) = whole.at(0, c, l); });
      }
    } else {
      load_leaves(fixed{}, geo, operands, rows, values);
    }
  }
  template <class Env, class Index, class State>
  EDGEWISE_HD void finish(Env const& row_env, Index row, Offset, bool live, State& s) const {
    if (!live) return;
    if constexpr (prepares_inner) {
      if (inner.to) {
        auto const& term = row_env.template leaf_value<inner_leaf>();
        constexpr operand_kind kind = kind_of_extent(std::remove_cvref_t<decltype(term)>::extent_of);
        store_row<kind>(row_env.geo, inner.to, row_elements(kind, row_env.geo), row, term, 0);
      }
    }
    s.rows.for_each(
        [&](auto tag, auto const& sum) { store_gradient<typename decltype(tag)::type>(row_env.geo, row, sum); });
  }

private:
  /// Calls f(sink, sums of edges, sums of what a block holds) with a sink for Edges edges.
  template <int Edges, class Geometry, class State, class F>
  EDGEWISE_HD void with_sink(Geometry const& geo, State& s, edge_mask<Edges> const& ok, F const& f) const {
    using target_sink = gradient_sink<Geometry, Accumulator, Edges, row_targets, edge_targets, parameter_targets>;
    using hoisting_sink = gradient_sink<Geometry, Accumulator, Edges, row_sums, block_sums, launch_sums>;
    typename target_sink::edge_sums edge_sums;
    typename hoisting_sink::edge_sums hoisted_sums;
    edge_sums.clear(geo);
    hoisted_sums.clear(geo);
    target_sink targets{s.rows, edge_sums, s.parameters, ok};
    hoisting_sink holds{s.hoisted_rows, hoisted_sums, s.hoisted_parameters, ok};
    hoisted_sink<hoisting_sink, target_sink> sink{holds, targets};
    f(sink, edge_sums, hoisted_sums);
  }
  template <class Bound, class Geometry, class Row, class V>
  EDGEWISE_HD void store_gradient(Geometry const& geo, Row row, V const& x) const {
    constexpr int stride = element_stride<typename Bound::leaf>;
    auto const& to = gradients.template of<Bound>();
    store_row<Bound::kind, stride>(geo, to.data, to.row_stride, row, x, 0, to.accumulate);
  }
};

}  // namespace edgewise::inline v0::detail
