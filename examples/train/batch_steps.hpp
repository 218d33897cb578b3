// Training on mini-batches of sampled neighbors.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <edgewise/core/memory.hpp>

#include "models/adam.hpp"
#include "models/node_options.hpp"
#include "models/random_bits.hpp"
#include "models/sample_neighbors.hpp"
#include "train/batch_task.hpp"
#include "train/model_graph.hpp"
#include "train/model_options.hpp"
#include "train/objective.hpp"
#include "train/options.hpp"
#include "train/task.hpp"

namespace edgewise::train {

/// Steps on batches of training rows and the neighbors that are sampled for them. One plan, made for the largest batch,
/// serves them all; what a batch is made of is uploaded to memory of its own.
template <class Model>
class batch_steps {
public:
  using T = typename Model::scalar;
  using Context = typename Model::context_type;
  using space = typename Context::space;

  /// The parameters are those of `whole`. `data` must outlive it.
  batch_steps(Context const& context, task const& data, options const& options, std::uint64_t seed, Model const& whole)
      : data_(&data),
        batch_size_(std::min(options.batch_size, static_cast<std::int64_t>(data.train_rows.size()))),
        fanouts_(options.fanouts),
        seed_(seed),
        sizes_(model_options(data, options)),
        largest_(context, largest_batch(data, batch_size_, options.fanouts), sizes_),
        model_(context, largest_.graph, largest_.features, whole) {}

  /// One epoch: every training row is a seed of one batch. The mean of the batches' losses, weighed by their seeds.
  /// Allocates and synchronises.
  double run_epoch(Context const& context, int epoch, models::adam<T, Context>& optimizer,
                   models::random_state* state) {
    auto const rows = models::shuffled(data_->train_rows, {seed_, static_cast<std::uint64_t>(epoch)});
    std::uint64_t const num_batches =
        (rows.size() + static_cast<std::size_t>(batch_size_) - 1) / static_cast<std::size_t>(batch_size_);
    std::uint64_t step = static_cast<std::uint64_t>(epoch) * num_batches;
    double total = 0;
    for (std::size_t begin = 0; begin < rows.size(); begin += static_cast<std::size_t>(batch_size_)) {
      auto const seeds =
          std::span(rows).subspan(begin, std::min(static_cast<std::size_t>(batch_size_), rows.size() - begin));
      total += static_cast<double>(seeds.size()) * run_batch(context, seeds, step++);
      optimizer.step(context, model_.all_parameters());
      context.for_each(1, models::advance_step{state});
    }
    return total / static_cast<double>(rows.size());
  }

private:
  struct inputs {
    typename Model::graph_type graph;
    typename Model::features_type features;

    inputs(Context const& context, task const& batch, models::node_options const& sizes)
        : graph(model_graph<typename Model::graph_type>(context, batch, sizes)),
          features(context, batch.features.entries.view(), batch.features.values.data()) {}
  };

  double run_batch(Context const& context, std::span<std::int32_t const> seeds, std::uint64_t step) {
    auto const part = models::sample_neighbors(data_->by_destination.view(), seeds, fanouts_, {seed_, step});
    task const batch = batch_task(*data_, part, static_cast<std::int64_t>(seeds.size()));
    current_.emplace(context, batch, sizes_);
    model_.rebuild(context, current_->graph, current_->features);
    task_loss<T, Context> loss(context, batch, batch.train_rows);
    loss(context, model_.forward(context));
    model_.backward(context, loss.gradient());
    return loss.loss(context);
  }

  task const* data_;
  std::int64_t batch_size_;
  std::vector<std::int64_t> fanouts_;
  std::uint64_t seed_;
  models::node_options sizes_;
  inputs largest_;
  Model model_;
  std::optional<inputs> current_;
};

}  // namespace edgewise::train
