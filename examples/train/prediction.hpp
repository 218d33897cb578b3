// Logits of a trained model on any context.
#pragma once

#include <cstddef>
#include <vector>

#include <edgewise/core/error.hpp>

#include "models/saved_model.hpp"
#include "train/model_graph.hpp"
#include "train/task.hpp"

namespace edgewise::train {

/// Logits [V, classes], row by row. Throws `invalid_argument` where the data have another number of features than the
/// model or a type of edges that it does not know, or the model other parameters than `Model`.
template <class Model>
std::vector<float> predict_once(typename Model::context_type::resource_type const& resource, task const& data,
                                models::saved_model<typename Model::scalar> const& saved) {
  using T = typename Model::scalar;
  using Context = typename Model::context_type;
  std::int64_t const num_features = data.features.num_columns();
  if (num_features != saved.options.num_features) {
    throw invalid_argument(edgewise::detail::text(
        data.name, " has ", num_features, " features, the model was trained with ", saved.options.num_features));
  }
  Context const context(resource);
  auto const graph = model_graph<typename Model::graph_type>(context, data, saved.options);
  typename Model::features_type const features(context, data.features.entries.view(), data.features.values.data());
  Model model(context, graph, features, saved.options, nullptr);  // nothing is dropped: there is no random state
  models::load_model(context, saved, model.all_parameters());

  auto const logits = model.infer(context);
  std::vector<T> rows(static_cast<std::size_t>(logits.size()));
  context.download(logits.data, logits.size(), rows.data());
  return rows;
}

}  // namespace edgewise::train
