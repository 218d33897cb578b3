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

/// The order that moves and computes less. Products of pairs count with the flops of a device that takes 8 in the time
/// of a byte; rows are gathered for pairs or edges, and rows of pairs written and read.
constexpr type_order choose_type_order(typed_sizes const& n) {
  constexpr double flops_of_a_byte = 8;
  constexpr double bytes = 4;
  auto const product = [&](std::int64_t pairs) {
    double const in = static_cast<double>(n.inputs);
    double const out = static_cast<double>(n.outputs);
    return static_cast<double>(pairs) * (2 * in * out / flops_of_a_byte + bytes * (2 * in + 2 * out));
  };
  auto const gather = [&](std::int64_t rows, std::int64_t width) {
    return bytes * static_cast<double>(rows) * static_cast<double>(width);
  };
  double const transform = gather(n.source_pairs, n.inputs) + product(n.source_pairs) + gather(n.edges, n.outputs);
  double const aggregate = gather(n.edges, n.inputs) + product(n.destination_pairs);
  return transform <= aggregate ? type_order::transform_first : type_order::aggregate_first;
}

}  // namespace edgewise::inline v0
