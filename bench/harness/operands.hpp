// The operands of the measured operations, as every implementation receives them.
#pragma once

#include <cstdint>

#include <edgewise/format/grouping.hpp>

namespace edgewise::bench {

/// out[row, :] = sum over the row's positions k of weights[k] * features[neighbors[k], :].
/// Shapes: weights [E] in the order of positions (no edge ids), features [num_neighbors, channels], out [num_rows,
/// channels], whose rows are row_stride elements apart.
template <class T>
struct weighted_sum_operands {
  grouping_view<> rows;
  T const* weights;
  T const* features;
  T* out;
  std::int32_t channels;
  std::int32_t row_stride;
};

/// out[k] = dot(left[row of k, :], right[neighbors[k], :]) for every position k.
/// Shapes: left [num_rows, channels], right [num_neighbors, channels], rows row_stride elements apart, out [E].
template <class T>
struct edge_dot_operands {
  grouping_view<> rows;
  T const* left;
  T const* right;
  T* out;
  std::int32_t channels;
  std::int32_t row_stride;
};

}  // namespace edgewise::bench
