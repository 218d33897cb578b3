// Logits of a trained model on any context.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include <edgewise/core/error.hpp>

#include "models/saved_model.hpp"
#include "train/batch_task.hpp"
#include "train/model_inputs.hpp"
#include "train/sampled_model.hpp"
#include "train/sampling.hpp"
#include "train/task.hpp"

namespace edgewise::train {

/// Logits [V, classes] of all vertices, batch after batch.
template <class Model>
std::vector<typename Model::scalar> predict_in_batches(typename Model::context_type const& context, task const& data,
                                                       models::saved_model<typename Model::scalar> const& saved,
                                                       sampling const& how) {
  std::vector<std::int32_t> all(static_cast<std::size_t>(data.num_vertices));
  std::iota(all.begin(), all.end(), 0);
  model_inputs<Model> const one(context, largest_batch(data, 1, how.fanouts), saved.options);
  Model parameters(context, one.graph, one.features, saved.options, nullptr);  // nothing is dropped
  models::load_model(context, saved, parameters.all_parameters());
  sampled_model<Model> sampled(context, data, saved.options, how, data.num_vertices, parameters);

  std::vector<typename Model::scalar> rows(all.size() * static_cast<std::size_t>(saved.options.num_classes));
  auto* next = rows.data();
  std::uint64_t step = 0;
  for_each_batch(all, sampled.batch_size(), [&](std::span<std::int32_t const> seeds) {
    sampled.take(context, seeds, step++);
    auto const count = static_cast<std::int64_t>(seeds.size()) * saved.options.num_classes;
    context.download(sampled.model().infer(context).data, count, next);
    next += count;
  });
  return rows;
}

/// Logits [V, classes], row by row: on the whole graph, or on sampled neighbors where `how` has a batch size. Throws
/// `invalid_argument` where the data have another number of features than the model or a type of edges that it does not
/// know, the model other parameters than `Model`, or `how` too few fanouts.
template <class Model>
std::vector<float> predict_once(typename Model::context_type::resource_type const& resource, task const& data,
                                models::saved_model<typename Model::scalar> const& saved, sampling const& how = {}) {
  std::int64_t const num_features = data.features.num_columns();
  if (num_features != saved.options.num_features) {
    throw invalid_argument(edgewise::detail::text(
        data.name, " has ", num_features, " features, the model was trained with ", saved.options.num_features));
  }
  typename Model::context_type const context(resource);
  if (how.batch_size > 0) return predict_in_batches<Model>(context, data, saved, how);

  model_inputs<Model> const inputs(context, data, saved.options);
  Model model(context, inputs.graph, inputs.features, saved.options, nullptr);  // nothing is dropped
  models::load_model(context, saved, model.all_parameters());
  auto const logits = model.infer(context);
  std::vector<typename Model::scalar> rows(static_cast<std::size_t>(logits.size()));
  context.download(logits.data, logits.size(), rows.data());
  return rows;
}

}  // namespace edgewise::train
