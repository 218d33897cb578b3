// What programs of vertices cost, which walk no edges.
#pragma once

#include <cstdint>

#include <edgewise/core/extents.hpp>
#include <edgewise/cost/cost.hpp>
#include <edgewise/cost/count_bytes.hpp>
#include <edgewise/cost/count_flops.hpp>
#include <edgewise/program/gradient_plan.hpp>
#include <edgewise/program/hoisted.hpp>

namespace edgewise::inline v0::detail {

/// Traits: `program_traits`. Backward evaluates the program again, and each operation's derivative counts as it does.
template <class Program, class Table, class T, class Traits>
struct vertex_cost {
  using every_gradient = type_list<>;
  using default_output = T;

  std::int64_t rows = 0;
  row_extents extents{};

  template <class Out>
  plan_cost forward(bool) const {
    return {.traversals = {cost_of("vertices", sizeof(Out), 1)}};
  }
  template <class Out, class... Request>
  plan_cost backward(type_list<Request...>) const {
    auto cost = cost_of("vertices, backward", sizeof(Out), 2);
    using plan = gradient_plan<Program, Table, Request...>;
    cost.row_bytes += bytes_of_row(bound_in_role<role::destination, typename plan::vertex_targets>{}, extents);
    cost.parameter_bytes += bytes_of_row(bound_in_role<role::parameter, typename plan::vertex_targets>{}, extents);
    return {.traversals = {cost}};
  }

private:
  traversal_cost cost_of(char const* name, std::size_t out_bytes, int times) const {
    traversal_cost cost;
    cost.name = name;
    cost.rows = rows;
    cost.row_bytes = bytes_of_row(bound_in_role<role::destination, Table>{}, extents) +
                     static_cast<double>(Traits::out_elements(extents)) * static_cast<double>(out_bytes);
    cost.parameter_bytes = bytes_of_row(bound_in_role<role::parameter, Table>{}, extents);
    flop_count const flops =
        flops_of_values<typename vertex_expressions<Program>::roots, role::destination, Table>(extents);
    cost.row_flops = static_cast<double>(times) * static_cast<double>(flops.row);
    return cost;
  }
};

}  // namespace edgewise::inline v0::detail
