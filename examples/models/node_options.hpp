// The sizes of a model that classifies vertices.
#pragma once

#include <cstdint>

#include <edgewise/core/error.hpp>

namespace edgewise::models {

/// `num_hidden`: channels of a hidden row, or of each of its `num_heads` heads; `num_output_heads` of the last layer
/// are averaged. Models without attention have one head, and ignore these and `attention_dropout`. Probabilities:
/// `dropout` of elements of rows that dense products read, `attention_dropout` of attention weights.
struct node_options {
  std::int64_t num_features;
  std::int64_t num_heads = 8;
  std::int64_t num_hidden = 8;
  std::int64_t num_classes;
  double dropout = 0.5;
  double attention_dropout = 0.0;
  std::int64_t num_output_heads = 1;
};

/// Throws `invalid_argument` on an extent below 1.
inline void require_sizes(char const* model, node_options const& o) {
  if (o.num_features < 1 || o.num_heads < 1 || o.num_hidden < 1 || o.num_output_heads < 1 || o.num_classes < 1) {
    throw invalid_argument(edgewise::detail::text(model, ": ", o.num_features, " features, ", o.num_heads, " heads of ",
                                                  o.num_hidden, ", ", o.num_output_heads, " output heads and ",
                                                  o.num_classes, " classes: each must be at least 1"));
  }
}

}  // namespace edgewise::models
