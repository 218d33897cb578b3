// The forward pass of an edge program over ungrouped edges: evaluate a block of messages, store each as its edge's row.
#pragma once

#include <edgewise/pass/coo_walk.hpp>
#include <edgewise/pass/pass_concept.hpp>
#include <edgewise/program/layout.hpp>
#include <edgewise/program/lower.hpp>

namespace edgewise::inline v0::detail {

/// The counterpart of `store_pass`: only parameters are fixed.
template <class Program, class Table, class Accumulator, class Out>
struct coo_store_pass : coo_pass {
  using accumulator = Accumulator;
  using tables = coo_tables<Table, typename Program::leaves>;
  using loads = tables;
  using held =
      hoisted_expressions<typename roots_of_aggregations<typename Program::aggregation_types>::type, role::parameter>;
  template <class Geometry>
  using launch_leaves = typename Program::leaves;
  template <class Geometry>
  using launch_hoisted = typename held::template of<duration::launch>;
  using block_hoisted = typename held::template of<duration::block>;
  static constexpr bool needs_edge = true;
  static constexpr bool sums_inside = any_aggregation_sums_channels<typename Program::aggregation_types>;
  static constexpr layout_need need = find_layout_need<sums_inside, Table, type_list<>>();

  Program program;
  operand_pointers<Table> operands;
  Out* out;  ///< one row per edge, by edge id
  std::int64_t out_row_stride;

  template <class Geometry>
  struct state {};

  template <int Edges, class Env, class Index, class Offset, class State>
  EDGEWISE_HD void step(Env const& env, edge_block<Edges, Index, Offset> const& block, State&) const {
    hold(block_hoisted{}, program, env, [&](auto const& messages) {
      auto const message = get<0>(program.aggregations).message.trace(messages).value;
      constexpr operand_kind kind = kind_of_extent(std::remove_cvref_t<decltype(message)>::extent_of);
      EDGEWISE_UNROLL
      for (int b = 0; b < Edges; ++b) {
        if (block.ok[b]) {
          store_row<kind>(env.geo, out, out_row_stride, block.edges[b], message, b);
        }
      }
    });
  }
};

}  // namespace edgewise::inline v0::detail
