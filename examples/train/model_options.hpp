// What the command line means to a model and its optimiser.
#pragma once

#include "models/learning_rate.hpp"
#include "models/node_options.hpp"
#include "models/scaled_graph.hpp"
#include "models/sparse_matrix.hpp"
#include "train/options.hpp"
#include "train/task.hpp"

namespace edgewise::train {

/// The options of a model that is trained on `data`.
inline models::node_options model_options(task const& data, options const& options) {
  return {.num_features = data.features.num_columns(),
          .num_heads = options.num_heads,
          .num_hidden = options.num_hidden,
          .num_classes = data.num_classes,
          .dropout = options.dropout,
          .attention_dropout = options.attention_dropout,
          .num_output_heads = options.num_output_heads,
          .num_relations = data.num_edge_types,
          .num_bases = options.num_bases == 0 ? data.num_edge_types + 1 : options.num_bases,
          .mean_log_degree = models::training_log_degree(data.by_destination.view())};
}

/// How the features of the whole graph are multiplied; those of batches are sparse.
inline models::product_kind product_kind_of(options const& options) {
  if (options.features == "sparse") return models::product_kind::sparse;
  return options.features == "dense" ? models::product_kind::dense : models::product_kind::automatic;
}

inline models::learning_rate_schedule schedule_of(options const& options) {
  return {.kind = models::schedule_named(options.schedule),
          .initial = options.learning_rate,
          .num_epochs = options.num_epochs,
          .step_epochs = options.step_epochs,
          .step_factor = options.step_factor};
}

}  // namespace edgewise::train
