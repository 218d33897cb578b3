#include "train/feature_matrix.hpp"

#include <limits>

#include <edgewise/core/error.hpp>
#include <edgewise/format/make.hpp>

namespace edgewise::train {
namespace {

class builder {
public:
  void add(std::int64_t column, float value) {
    if (value == 0.0F) return;
    columns_.push_back(static_cast<std::int32_t>(column));
    values_.push_back(value);
  }
  void end_row() {
    if (columns_.size() > std::numeric_limits<std::int32_t>::max()) {
      throw invalid_argument(edgewise::detail::text("features: row ", offsets_.size() - 1, " ends with element ",
                                                    columns_.size(), ", more than 32 bits count"));
    }
    offsets_.push_back(static_cast<std::int32_t>(columns_.size()));
  }
  feature_matrix finish(std::int64_t num_columns) {
    auto const num_rows = static_cast<std::int64_t>(offsets_.size()) - 1;
    return {make_csr({.sources = num_columns, .destinations = num_rows}, offsets_, columns_), std::move(values_)};
  }

private:
  std::vector<std::int32_t> offsets_{0}, columns_;
  std::vector<float> values_;
};

}  // namespace

feature_matrix feature_matrix_of(sparse_features const& features) {
  builder result;
  for (std::int64_t row = 0; row < features.num_rows; ++row) {
    for (auto k = features.offsets[row]; k < features.offsets[row + 1]; ++k) {
      result.add(features.columns[k], features.values[k]);
    }
    result.end_row();
  }
  return result.finish(features.num_columns);
}

feature_matrix feature_matrix_of(dense_features const& features) {
  builder result;
  for (std::int64_t row = 0; row < features.num_rows; ++row) {
    for (std::int64_t column = 0; column < features.num_columns; ++column) {
      result.add(column, features.values[row * features.num_columns + column]);
    }
    result.end_row();
  }
  return result.finish(features.num_columns);
}

feature_matrix rows_of(feature_matrix const& features, std::span<std::int32_t const> rows) {
  auto const entries = features.entries.view();
  std::vector<std::int32_t> offsets{0}, columns;
  std::vector<float> values;
  for (std::int32_t const row : rows) {
    std::int32_t const begin = entries.offsets[row], end = entries.offsets[row + 1];
    columns.insert(columns.end(), entries.neighbors + begin, entries.neighbors + end);
    values.insert(values.end(), features.values.begin() + begin, features.values.begin() + end);
    offsets.push_back(static_cast<std::int32_t>(columns.size()));
  }
  return {make_csr({.sources = features.num_columns(), .destinations = static_cast<std::int64_t>(rows.size())}, offsets,
                   columns, validation::off),
          std::move(values)};
}

feature_matrix identity_features(std::int64_t num_vertices) {
  builder result;
  for (std::int64_t v = 0; v < num_vertices; ++v) {
    result.add(v, 1.0F);
    result.end_row();
  }
  return result.finish(num_vertices);
}

}  // namespace edgewise::train
