// What the command line means to a model.
#pragma once

#include "models/node_options.hpp"
#include "models/relational_options.hpp"
#include "train/options.hpp"
#include "train/task.hpp"

namespace edgewise::train {

/// The sizes of a model for a task. `ModelOptions`: `models::node_options` or `models::relational_options`.
template <class ModelOptions>
ModelOptions model_options(task const& data, options const& options);

template <>
inline models::node_options model_options(task const& data, options const& options) {
  return {.num_features = data.features.num_columns(),
          .num_heads = options.num_heads,
          .num_hidden = options.num_hidden,
          .num_classes = data.num_classes,
          .dropout = options.dropout,
          .attention_dropout = options.attention_dropout};
}
template <>
inline models::relational_options model_options(task const& data, options const& options) {
  return {.num_vertices = data.num_vertices,
          .num_relations = data.num_edge_types,
          .num_bases = options.num_bases == 0 ? data.num_edge_types : options.num_bases,
          .num_hidden = options.num_hidden,
          .num_classes = data.num_classes,
          .dropout = options.dropout};
}

}  // namespace edgewise::train
