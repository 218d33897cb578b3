// The forward pass of an edge program: evaluate a block of messages and store each as the row of its edge.
#pragma once

#include <edgewise/pass/pass_concept.hpp>
#include <edgewise/pass/traverse.hpp>
#include <edgewise/program/layout.hpp>
#include <edgewise/program/lower.hpp>

namespace edgewise::inline v0::detail {

/// Is a message an inner product as a whole, of which tiles of channels give terms?
template <class Aggregation>
inline constexpr bool is_inner_product = false;
template <class A>
inline constexpr bool is_inner_product<edge_aggregation<channel_sum_node<A>>> = !has_channel_sum<A>;
template <class Aggregations>
inline constexpr bool are_inner_products = false;
template <class... Aggregation>
inline constexpr bool are_inner_products<type_list<Aggregation...>> = (is_inner_product<Aggregation> && ...);

/// Rows only decide what is loaded once: they have no state, so that pieces of cut rows have nothing to merge.
/// Adds: to what tiles of other channels have stored.
template <class Program, class Table, class Offset, class Accumulator, class Out, bool Adds = false>
struct store_pass : row_pass {
  using accumulator = Accumulator;
  using offset_type = Offset;
  using tables = pass_tables<Table, typename Program::leaves, role::destination>;
  using loads = tables;
  using aggregation_types = typename Program::aggregation_types;
  using held = hoisted_expressions<typename roots_of_aggregations<aggregation_types>::type, role::destination>;
  template <class Geometry>
  using launch_leaves = typename Program::leaves;
  template <class Geometry>
  using launch_hoisted = typename held::template of<duration::launch>;
  using row_hoisted = typename held::template of<duration::row>;
  using block_hoisted = typename held::template of<duration::block>;
  using hoisted_registers =
      hoisted_demand<typename held::template of<duration::launch>, row_hoisted, block_hoisted, Table, Accumulator>;
  static constexpr bool needs_edge = true;
  static constexpr bool sums_inside = any_aggregation_sums_channels<aggregation_types>;
  static constexpr layout_need need = find_layout_need<sums_inside, Table, type_list<>>();

  /// Not where the output has another type than sums have: terms would be rounded one by one.
  static constexpr bool adds_up_tiles =
      !Adds && are_inner_products<aggregation_types> && std::is_same_v<Out, Accumulator>;
  using adding_pass = store_pass<Program, Table, Offset, Accumulator, Out, true>;

  Program program;
  operand_pointers<Table> operands;
  Out* out;  ///< one row per edge, by edge id
  std::int64_t out_row_stride;

  template <class Geometry>
  struct state {};

  template <int Edges, class Env, class State>
  EDGEWISE_HD void step(Env const& env, edge_mask<Edges> const& ok, Offset const (&edges)[Edges], State&) const {
    hold(block_hoisted{}, program, env, [&](auto const& messages) {
      auto const message = trace_open(get<0>(program.aggregations).message, messages);
      constexpr operand_kind kind = kind_of_extent(std::remove_cvref_t<decltype(message)>::extent_of);
      store_edges<kind>(env.geo, out, out_row_stride, Adds, edges, ok, message);
    });
  }
};

}  // namespace edgewise::inline v0::detail
