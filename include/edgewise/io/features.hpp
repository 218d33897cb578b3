// Vertex features as files hold them, sparse or dense, and their usual scaling.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include <edgewise/core/error.hpp>
#include <edgewise/core/memory.hpp>

namespace edgewise::inline v0 {

/// Row v holds values[offsets[v]] .. values[offsets[v + 1] - 1] in the columns of the same positions; the rest is 0.
/// Shapes: offsets [num_rows + 1], columns and values [non-zeros].
struct sparse_features {
  std::int64_t num_rows = 0;
  std::int64_t num_columns = 0;
  host_buffer<std::int64_t> offsets;
  host_buffer<std::int32_t> columns;
  host_buffer<float> values;
};

/// Row-major. Shape: values [num_rows, num_columns].
struct dense_features {
  std::int64_t num_rows = 0;
  std::int64_t num_columns = 0;
  host_buffer<float> values;
};

/// The matrix written out; entries of the same row and column are added. Throws `invalid_argument` where it has more
/// elements than any memory.
inline dense_features to_dense(sparse_features const& sparse, memory_resource* memory = host_memory()) {
  constexpr std::int64_t most_values = std::numeric_limits<std::int64_t>::max() / std::int64_t{sizeof(float)};
  if (sparse.num_columns > 0 && sparse.num_rows > most_values / sparse.num_columns) {
    throw invalid_argument(detail::text("to_dense: ", sparse.num_rows, " rows of ", sparse.num_columns,
                                        " columns are more than memory can have"));
  }
  host_buffer<float> values(static_cast<std::size_t>(sparse.num_rows * sparse.num_columns), memory);
  std::fill(values.begin(), values.end(), 0.0f);
  for (std::int64_t row = 0; row < sparse.num_rows; ++row) {
    for (auto k = sparse.offsets[row]; k < sparse.offsets[row + 1]; ++k) {
      values[static_cast<std::size_t>(row * sparse.num_columns + sparse.columns[k])] += sparse.values[k];
    }
  }
  return {sparse.num_rows, sparse.num_columns, std::move(values)};
}

namespace detail {

inline void scale_to_sum_one(float* begin, float* end) {
  double sum = 0;
  for (auto const* value = begin; value != end; ++value) sum += *value;
  if (sum == 0) return;
  for (auto* value = begin; value != end; ++value) *value = static_cast<float>(*value / sum);
}

}  // namespace detail

/// Scales every row to sum 1, in place; rows whose sum is 0, such as those without any feature, stay as they are.
/// Source: the preprocessing of Kipf & Welling 2017, arXiv:1609.02907.
inline void normalize_rows(sparse_features& features) {
  for (std::int64_t row = 0; row < features.num_rows; ++row) {
    detail::scale_to_sum_one(features.values.data() + features.offsets[row],
                             features.values.data() + features.offsets[row + 1]);
  }
}
inline void normalize_rows(dense_features& features) {
  for (std::int64_t row = 0; row < features.num_rows; ++row) {
    auto* const begin = features.values.data() + row * features.num_columns;
    detail::scale_to_sum_one(begin, begin + features.num_columns);
  }
}

}  // namespace edgewise::inline v0
