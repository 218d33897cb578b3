// What a reader of a vertex classification task returns.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <edgewise/format/coo.hpp>
#include <edgewise/io/features.hpp>

namespace edgewise::inline v0 {

/// A graph with what is known about its V vertices and E edges, in host memory. An array that the files lack is empty.
/// Shapes: labels [V], class or -1 where unlabelled; multi_labels [V, num_classes], 0 or 1; train, validation and test
/// list vertices; edge_types [E] by edge id; node_types [V].
struct dataset {
  coo<> edges;
  std::variant<std::monostate, sparse_features, dense_features> features;
  host_buffer<std::int32_t> labels;
  host_buffer<std::uint8_t> multi_labels;
  std::int32_t num_classes = 0;
  std::vector<std::string> class_names;
  host_buffer<std::int32_t> train;
  host_buffer<std::int32_t> validation;
  host_buffer<std::int32_t> test;
  host_buffer<std::int32_t> edge_types;
  host_buffer<std::int32_t> node_types;
};

/// A dense copy of the features, [V, F]; F is 0 where there are none.
inline dense_features dense_features_of(dataset const& data) {
  if (auto const* const sparse = std::get_if<sparse_features>(&data.features)) return to_dense(*sparse);
  if (auto const* const dense = std::get_if<dense_features>(&data.features)) {
    std::span<float const> const values(dense->values.data(), dense->values.size());
    return {dense->num_rows, dense->num_columns, copy_of(values)};
  }
  return {data.edges.num_sources(), 0, {}};
}

/// `normalize_rows` of whichever features there are.
inline void normalize_features(dataset& data) {
  if (auto* const sparse = std::get_if<sparse_features>(&data.features)) normalize_rows(*sparse);
  if (auto* const dense = std::get_if<dense_features>(&data.features)) normalize_rows(*dense);
}

}  // namespace edgewise::inline v0
