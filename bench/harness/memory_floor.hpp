// The bytes that a kernel must move at least, and those it moves if no row is ever reused on chip.
#pragma once

#include <cstdint>

namespace edgewise::bench {

/// `floor`: each input and output once. `gathered`: as the floor, but a gathered row once per edge.
/// Time over the floor says what is left to gain; below the gathered bytes' time, rows are being reused in cache.
struct bytes_moved {
  double floor = 0;
  double gathered = 0;
};

/// Extents of a problem on a graph: rows are what is reduced into, neighbors what is gathered.
struct problem_extents {
  std::int64_t rows;
  std::int64_t neighbors;
  std::int64_t edges;
  std::int64_t lanes;
  std::int64_t element_bytes;

  static constexpr std::int64_t index_bytes = 4;
  double structure_bytes() const { return static_cast<double>((rows + 1 + edges) * index_bytes); }
  double per_edge_scalar_bytes() const { return static_cast<double>(edges * element_bytes); }
  double row_bytes() const { return static_cast<double>(lanes * element_bytes); }
};

/// out[row, :] = sum of weight[edge] * feature[neighbor, :]: structure, weights, features and output.
inline bytes_moved weighted_sum_bytes(problem_extents const& p) {
  double const fixed = p.structure_bytes() + p.per_edge_scalar_bytes() + static_cast<double>(p.rows) * p.row_bytes();
  return {fixed + static_cast<double>(p.neighbors) * p.row_bytes(),
          fixed + static_cast<double>(p.edges) * p.row_bytes()};
}

/// out[edge] = dot(left[row, :], right[neighbor, :]): structure, both tables and the edge output, the very same
/// amounts.
inline bytes_moved edge_dot_bytes(problem_extents const& p) { return weighted_sum_bytes(p); }

}  // namespace edgewise::bench
