// Whether rows are transformed by type before they are summed, or after.
#pragma once

#include <cstdint>

namespace edgewise::inline v0 {

/// The two orders of a layer out_v = sum_{type t, edge u -> v of t} weight x_u W_t (R-GCN, Schlichtkrull et al. 2018).
enum class type_order {
  transform_first,  ///< each pair of type and source is multiplied once, edges gather the products
  aggregate_first   ///< each pair of type and destination sums its edges and is multiplied, vertices sum their pairs
};

/// What the choice depends on: numbers of pairs (`find_typed_pairs` at both ends) and of edges, elements of rows.
struct typed_sizes {
  std::int64_t source_pairs = 0;
  std::int64_t destination_pairs = 0;
  std::int64_t edges = 0;
  std::int64_t inputs = 0;
  std::int64_t outputs = 0;
};

/// The order whose forward pass moves and computes less, for elements of 4 bytes; gradients take about twice as much in
/// either. Products count with the flops of a device that takes 8 in the time of a byte.
constexpr type_order choose_type_order(typed_sizes const& n) {
  constexpr double flops_of_a_byte = 8;
  constexpr double bytes = 4;
  auto const rows = [&](std::int64_t count, std::int64_t width) {
    return bytes * static_cast<double>(count) * static_cast<double>(width);
  };
  auto const product = [&](std::int64_t pairs) {
    return 2 * static_cast<double>(pairs) * static_cast<double>(n.inputs) * static_cast<double>(n.outputs) /
           flops_of_a_byte;
  };
  // Rows of x are gathered for pairs, written and read; products are written, and gathered by edges.
  double const transform = 3 * rows(n.source_pairs, n.inputs) + product(n.source_pairs) +
                           rows(n.source_pairs, n.outputs) + rows(n.edges, n.outputs);
  // Rows of x are gathered by edges; sums of pairs are written and read; products are written and read.
  double const aggregate = rows(n.edges, n.inputs) + 2 * rows(n.destination_pairs, n.inputs) +
                           product(n.destination_pairs) + 2 * rows(n.destination_pairs, n.outputs);
  return transform <= aggregate ? type_order::transform_first : type_order::aggregate_first;
}

}  // namespace edgewise::inline v0
