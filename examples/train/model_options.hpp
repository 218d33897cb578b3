// What the command line means to each model.
#pragma once

#include "models/gat.hpp"
#include "models/gcn.hpp"
#include "models/gt.hpp"
#include "train/options.hpp"
#include "train/task.hpp"

namespace edgewise::train {

/// A model's options (`models::gcn_options` and its like) for a task and a command line.
template <class ModelOptions>
ModelOptions model_options(task const& data, options const& options);

template <>
inline models::gcn_options model_options(task const& data, options const& options) {
  return {.num_features = data.num_features,
          .num_hidden = options.num_hidden,
          .num_classes = data.num_classes,
          .dropout = options.dropout};
}

template <>
inline models::gat_options model_options(task const& data, options const& options) {
  return {.num_features = data.num_features,
          .num_heads = options.num_heads,
          .num_hidden = options.num_hidden,
          .num_classes = data.num_classes,
          .dropout = options.dropout,
          .attention_dropout = options.attention_dropout};
}

template <>
inline models::gt_options model_options(task const& data, options const& options) {
  return {.num_features = data.num_features,
          .num_heads = options.num_heads,
          .num_hidden = options.num_hidden,
          .num_classes = data.num_classes,
          .dropout = options.dropout,
          .attention_dropout = options.attention_dropout};
}

}  // namespace edgewise::train
