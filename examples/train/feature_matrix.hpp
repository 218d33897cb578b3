// Features of vertices as a sparse matrix.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <edgewise/format/csr.hpp>
#include <edgewise/io/features.hpp>

namespace edgewise::train {

/// A matrix [V, F] of which only the elements that are not 0 are stored: row v has `values[k]` in column
/// `entries.neighbors[k]` for its positions k. Of the rows that a rank has of a matrix (own_task.hpp), `numbers[k]` is
/// the position in the whole; others have none.
struct feature_matrix {
  csr<> entries;
  std::vector<float> values;
  std::vector<std::int64_t> numbers = {};

  std::int64_t num_columns() const { return entries.num_sources(); }
};

/// What files hold. Throws `invalid_argument` where there are more elements than 32 bits count.
feature_matrix feature_matrix_of(sparse_features const& features);
feature_matrix feature_matrix_of(dense_features const& features);
/// Row v is the unit vector v: a matrix times it has a learned row for each vertex.
feature_matrix identity_features(std::int64_t num_vertices);
/// The given rows of a matrix, one after the other.
feature_matrix rows_of(feature_matrix const& features, std::span<std::int32_t const> rows);

}  // namespace edgewise::train
