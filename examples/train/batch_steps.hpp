// Training on mini-batches of sampled neighbors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "models/adam.hpp"
#include "models/random_bits.hpp"
#include "models/sample_neighbors.hpp"
#include "train/model_options.hpp"
#include "train/objective.hpp"
#include "train/options.hpp"
#include "train/sampled_model.hpp"
#include "train/task.hpp"

namespace edgewise::train {

/// Steps on batches of training rows and the neighbors that are sampled for them.
template <class Model>
class batch_steps {
public:
  using T = typename Model::scalar;
  using Context = typename Model::context_type;

  /// The parameters are those of `whole`. `data` must outlive it. Throws what `sampled_model` throws.
  batch_steps(Context const& context, task const& data, options const& options, std::uint64_t seed, Model const& whole)
      : train_rows_(data.train_rows),
        seed_(seed),
        sampled_(context, data, model_options(data, options), {options.batch_size, options.fanouts, seed},
                 static_cast<std::int64_t>(data.train_rows.size()), whole) {}

  /// One epoch: every training row is a seed of one batch. The mean of the batches' losses, weighed by their seeds.
  /// Allocates and synchronises.
  double run_epoch(Context const& context, int epoch, models::adam<T, Context>& optimizer,
                   models::random_state* state) {
    auto const rows = models::shuffled(train_rows_, {seed_, static_cast<std::uint64_t>(epoch)});
    auto const size = static_cast<std::uint64_t>(sampled_.batch_size());
    std::uint64_t step = static_cast<std::uint64_t>(epoch) * ((rows.size() + size - 1) / size);
    double total = 0;
    for_each_batch(rows, sampled_.batch_size(), [&](std::span<std::int32_t const> seeds) {
      total += static_cast<double>(seeds.size()) * run_batch(context, seeds, step++);
      optimizer.step(context, sampled_.model().all_parameters());
      context.for_each(1, models::advance_step{state});
    });
    return total / static_cast<double>(rows.size());
  }

private:
  double run_batch(Context const& context, std::span<std::int32_t const> seeds, std::uint64_t step) {
    task const batch = sampled_.take(context, seeds, step);
    task_loss<T, Context> loss(context, batch, batch.train_rows);
    loss(context, sampled_.model().forward(context));
    sampled_.model().backward(context, loss.gradient());
    return loss.loss(context);
  }

  std::span<std::int32_t const> train_rows_;
  std::uint64_t seed_;
  sampled_model<Model> sampled_;
};

}  // namespace edgewise::train
