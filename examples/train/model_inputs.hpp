// What a model reads of a task: its graph and features, on any context.
#pragma once

#include "models/node_options.hpp"
#include "train/model_graph.hpp"
#include "train/task.hpp"

namespace edgewise::train {

template <class Model>
struct model_inputs {
  typename Model::graph_type graph;
  typename Model::features_type features;

  model_inputs(typename Model::context_type const& context, task const& data, models::node_options const& sizes)
      : graph(model_graph<typename Model::graph_type>(context, data, sizes)),
        features(context, data.features.entries.view(), data.features.values.data()) {}
};

}  // namespace edgewise::train
