// What a pass is: what a traversal loads, holds, folds and stores, and what engines ask before they give it rows.
#pragma once

#include <cstdint>
#include <type_traits>

#include <edgewise/core/config.hpp>
#include <edgewise/core/type_list.hpp>

namespace edgewise::inline v0::detail {

/// A pass is a struct whose members are pointers and numbers; it travels to the device. Engines and traversals know a
/// pass by the members listed here and by no others. A pass over rows derives from `row_pass`, one over edges that are
/// not grouped from `coo_pass`: they give the members that are marked with their default.
///
/// Its rows
///   accumulator               the type that it computes in
///   need                      `layout_need`: what a group of threads has to hold of a row together
///   sums_inside               does it go on with sums over channels or heads? Then tiles of one row cannot add up
/// What it loads (pass/traverse.hpp)
///   program, operands         the expressions, and where their operands lie
///   tables, loads             `pass_tables` or `coo_tables`: the bound leaves by what decides their row,
///                             those that edges read, and those that are loaded for the launch or a row
///   launch_leaves<Geometry>   the leaves of parameters that are loaded before the first row
///   read_leaves               those whose values it reads at all; void: any (default)
///   needs_edge                does `step` read ids of edges? false (default)
/// What it hoists (program/hoisted.hpp)
///   launch_hoisted<Geometry>  expressions that are evaluated before the first row
/// Sums over all edges
///   has_parameter_targets     does it form any? false (default)
///   parameter_targets         the bound gradients; none (default). The state derives from `launch_state` where there
///                             are some
///   start_launch, finish_launch
struct pass_defaults {
  using read_leaves = void;
  using parameter_targets = type_list<>;
  static constexpr bool needs_edge = false;
  static constexpr bool has_parameter_targets = false;
};

/// Of a pass over rows:
///   aggregation_types, offset_type   of the program and the graph
///   row_hoisted               expressions that are evaluated once per row
///   walks_edges               or does it take vertices alone? true (default)
///   reads_degrees             or has a row none, and are there no offsets? true (default)
///   load_row(geo, row, values)  loads a row's own leaves; as `loads` says (default)
/// Its state
///   state<Geometry>           of one row, in registers
///   expect_row(geo, row)      asks for memory of a row that it will store soon; does nothing (default)
///   start(geo, s)             before the first edge; does nothing (default)
///   step<Edges>(env, ok, edges, s)  takes a block of edges, of which those with `ok` are; also positions, before `s`,
///                             where `takes_positions` (default: false)
///   finish_walk(env, edges, s)  after the last; does nothing (default)
///   complete_state(geo, s)    takes the sums over threads that are still open; does nothing (default)
///   components(s, f)          calls f(value) for what a piece of a cut row leaves for others; none (default)
///   merge(geo, s, later)      adds what a later piece left; does nothing (default)
///   rounds_rows, row_part(s), merge_parts(geo, part, later)   of states that round: what a long row is folded by in
///                             leaves (pass/fold_tree.hpp); `rounds_rows` is false (default)
///   finish(env, row, degree, live, s)  stores the row; threads with `live` false only exchange; does nothing (default)
/// What kernels are chosen by (engine/cuda/geometries.hpp): registers that a thread needs
///   wide_states, narrow_states, narrow_targets  values of channels, of heads, sums of heads that it keeps; 0 (default)
///   hoisted_registers         `hoisted_demand` of what it hoists
///   has_edge_sums, has_scores_by_head, scores_by_thread   false (default)
///   adds_up_tiles             may channel tiles add to what earlier ones stored? false (default); `adding_pass` does
struct row_pass : pass_defaults {
  static constexpr bool walks_edges = true;
  static constexpr bool reads_degrees = true;
  static constexpr bool takes_positions = false;
  static constexpr bool rounds_rows = false;
  static constexpr int wide_states = 0;
  static constexpr int narrow_states = 0;
  static constexpr int narrow_targets = 0;
  static constexpr bool has_edge_sums = false;
  static constexpr bool has_scores_by_head = false;
  static constexpr bool scores_by_thread = false;
  static constexpr bool adds_up_tiles = false;

  template <class Geometry, class State>
  EDGEWISE_HD void start(Geometry const&, State&) const {}
  template <class Geometry>
  EDGEWISE_HD void expect_row(Geometry const&, std::int64_t) const {}
  template <class Env, class State>
  EDGEWISE_HD void finish_walk(Env const&, std::int64_t, State&) const {}
  template <class Geometry, class State>
  EDGEWISE_HD void complete_state(Geometry const&, State&) const {}
  template <class State, class F>
  EDGEWISE_HD static void components(State&, F const&) {}
  template <class Geometry, class State>
  EDGEWISE_HD void merge(Geometry const&, State&, State const&) const {}
  template <class Env, class Index, class Offset, class State>
  EDGEWISE_HD void finish(Env const&, Index, Offset, bool, State&) const {}
};

/// Of a pass over edges that are not grouped: both endpoints vary from edge to edge.
///   step<Edges>(env, block, s)   takes an `edge_block`
///   start_launch(geo, s), finish_launch(env, any, s)   before the first edge of a group and after its last; do nothing
///                             (default)
///   scattered_targets         the bound gradients that edges add to by atomics; none (default)
///   scatters_to_sources, scatters_to_destinations   does it write rows of endpoints? false (default)
struct coo_pass : pass_defaults {
  using scattered_targets = type_list<>;
  static constexpr bool scatters_to_sources = false;
  static constexpr bool scatters_to_destinations = false;

  template <class Geometry, class State>
  EDGEWISE_HD void start_launch(Geometry const&, State&) const {}
  template <class Env, class State>
  EDGEWISE_HD void finish_launch(Env const&, bool, State&) const {}
};

/// What both kinds say themselves.
template <class Pass>
struct require_pass {
  static_assert(
      requires { typename Pass::accumulator; },
      "pass: needs 'accumulator', the type that it computes in "
      "(pass/pass_concept.hpp)");
  static_assert(
      requires {
        Pass::need;
        Pass::sums_inside;
      },
      "pass: needs 'need' and 'sums_inside', what a group of threads holds of a row (pass/pass_concept.hpp)");
  static_assert(
      requires(Pass const& pass) {
        pass.program;
        pass.operands;
        typename Pass::tables;
        typename Pass::loads;
      },
      "pass: needs 'program', 'operands', 'tables' and 'loads', what it loads (pass/pass_concept.hpp)");
  static_assert(std::is_base_of_v<row_pass, Pass> || std::is_base_of_v<coo_pass, Pass>,
                "pass: derives from row_pass or coo_pass (pass/pass_concept.hpp)");
  static_assert(std::is_trivially_copyable_v<Pass>,
                "pass: must be trivially copyable, it travels to the device (pass/pass_concept.hpp)");
  static constexpr bool ok = true;
};

}  // namespace edgewise::inline v0::detail
