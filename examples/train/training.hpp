// One training run of one model on any context.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include <edgewise/core/memory.hpp>

#include "models/adam.hpp"
#include "models/context.hpp"
#include "models/learning_rate.hpp"
#include "models/random_bits.hpp"
#include "models/replay.hpp"
#include "models/saved_model.hpp"
#include "train/batch_steps.hpp"
#include "train/best_epoch.hpp"
#include "train/early_stopping.hpp"
#include "train/model_graph.hpp"
#include "train/model_options.hpp"
#include "train/objective.hpp"
#include "train/options.hpp"
#include "train/own_task.hpp"
#include "train/record.hpp"
#include "train/stopped_run.hpp"
#include "train/task.hpp"
#include "train/training_state.hpp"

namespace edgewise::train {

/// A model with its data, loss and optimiser, all in the context's memory.
/// `Model`: a `trained_model`.
template <class Model>
class trainer {
public:
  using T = typename Model::scalar;
  using Context = typename Model::context_type;
  using space = typename Context::space;

  /// Uploads `data`, which must outlive the trainer, and initialises the model from `seed`. Synchronises. A rank of
  /// several takes its part of the data.
  trainer(Context const& context, task const& data, options const& options, std::uint64_t seed)
      : context_(context),
        graph_(model_graph<typename Model::graph_type>(context, data, model_options(data, options))),
        own_(own_task(context, data, graph_)),
        features_(context, own_.features.entries.view(), own_.features.values.data(), product_kind_of(options),
                  own_.features.numbers),
        state_(context.template make_buffer<models::random_state>(1)),
        model_(context, graph_, features_, model_options(data, options), state_.data()),
        loss_(context, own_, own_.train_rows),
        train_accuracy_(context, own_, own_.train_rows),
        validation_accuracy_(context, own_, own_.validation_rows),
        test_accuracy_(context, own_, own_.test_rows),
        optimizer_(context, model_.all_parameters().size(),
                   {.learning_rate = options.learning_rate,
                    .weight_decay = options.weight_decay,
                    .num_decayed = model_.num_decayed()}) {
    if (!data.validation_rows.empty()) validation_loss_.emplace(context, own_, own_.validation_rows);
    if constexpr (!Context::is_ranked) {
      if (options.batch_size > 0) batches_.emplace(context, data, options, seed, model_);
    }
    models::random_state const state{seed, 0};
    context.upload(&state, 1, state_.data());
    model_.initialize(context, seed);
    context.synchronize();
  }

  /// Of all later steps.
  void set_learning_rate(double learning_rate) { optimizer_.set_learning_rate(context_, learning_rate); }

  /// One epoch. Of the whole graph it is forward, loss, backward and update, on a device of one process one CUDA graph
  /// from the second on, and neither allocates nor synchronises; of batches it does (batch_steps.hpp).
  void run_epoch([[maybe_unused]] int epoch) {
    if constexpr (!Context::is_ranked) {
      if (batches_) {
        loss_of_batches_ = batches_->run_epoch(context_, epoch, optimizer_, state_.data());
        return;
      }
    }
    steps_.run(context_, [this] { run_step(); });
  }

  /// The last epoch's loss, and the validation loss and accuracies of the model as it is now, on a device of one
  /// process a second CUDA graph. Synchronises.
  epoch_record score() {
    scores_.run(context_, [this] { run_score(); });
    epoch_record record;
    record.loss = has_batches() ? loss_of_batches_ : loss_.loss(context_);
    record.train_accuracy = train_accuracy_.value(context_);
    record.validation_accuracy = validation_accuracy_.value(context_);
    record.test_accuracy = test_accuracy_.value(context_);
    record.validation_loss = std::numeric_limits<double>::quiet_NaN();
    if (validation_loss_) record.validation_loss = validation_loss_->loss(context_);
    return record;
  }

  /// A copy of what the next step depends on. Synchronises.
  training_state state(task const& data, options const& options) {
    training_state copy;
    copy.model = models::save_model(context_, options.model, model_options(data, options), model_.all_parameters());
    copy.first_moments.resize(copy.model.values.size());
    copy.second_moments.resize(copy.model.values.size());
    context_.download(optimizer_.first_moments(), optimizer_.size(), copy.first_moments.data());
    context_.download(optimizer_.second_moments(), optimizer_.size(), copy.second_moments.data());
    context_.download(optimizer_.powers(), 1, &copy.powers);
    context_.download(state_.data(), 1, &copy.random);
    return copy;
  }
  /// Goes on from a copy. Synchronises. Throws `invalid_argument` where its parameters have other shapes; then nothing
  /// has changed.
  void restore(training_state const& copy) {
    models::load_model(context_, copy.model, model_.all_parameters());
    context_.upload(copy.first_moments.data(), optimizer_.size(), optimizer_.first_moments());
    context_.upload(copy.second_moments.data(), optimizer_.size(), optimizer_.second_moments());
    context_.upload(&copy.powers, 1, optimizer_.powers());
    context_.upload(&copy.random, 1, state_.data());
    context_.synchronize();
  }

private:
  /// Of ranks no batches are compiled: plans over parts of a graph are for that graph alone.
  struct no_batches {};
  bool has_batches() const {
    if constexpr (Context::is_ranked) {
      return false;
    } else {
      return batches_.has_value();
    }
  }
  void run_step() {
    loss_(context_, model_.forward(context_));
    model_.backward(context_, loss_.gradient());
    optimizer_.step(context_, model_.all_parameters());
    context_.for_each(1, models::advance_step{state_.data()});
  }
  void run_score() {
    auto const logits = model_.infer(context_);
    train_accuracy_(context_, logits);
    validation_accuracy_(context_, logits);
    test_accuracy_(context_, logits);
    if (validation_loss_) (*validation_loss_)(context_, logits);
  }

  Context const& context_;
  typename Model::graph_type graph_;
  own_task_type<Context> own_;
  typename Model::features_type features_;
  buffer<models::random_state, space> state_;
  Model model_;
  task_loss<T, Context> loss_;
  std::optional<task_loss<T, Context>> validation_loss_;  // where there are validation rows
  task_score<T, Context> train_accuracy_;
  task_score<T, Context> validation_accuracy_;
  task_score<T, Context> test_accuracy_;
  models::adam<T, Context> optimizer_;
  // Where training is not on the whole graph.
  std::conditional_t<Context::is_ranked, no_batches, std::optional<batch_steps<Model>>> batches_;
  double loss_of_batches_ = 0;
  models::replay<Context> steps_;
  models::replay<Context> scores_;
};

/// Trains `Model` once on `resource`, with its memory counted over `upstream`; from the checkpoint that options.resume
/// names on, and into those that options.save and options.save_best name. `rank`: what the context of a rank of several
/// takes besides the resource. All of them call this together, of which the first one writes files.
template <class Model, class... Rank>
run_record train_once(typename Model::context_type::resource_type resource, memory_resource* upstream, task const& data,
                      options const& options, std::uint64_t seed, epoch_observer const& observe, Rank&&... rank) {
  using clock = std::chrono::steady_clock;
  counting_resource memory(upstream);
  resource.memory = &memory;
  typename Model::context_type const context(resource, std::forward<Rank>(rank)...);
  trainer<Model> trained(context, data, options, seed);

  run_record run;
  run.seed = seed;
  run.num_ranks = context.num_ranks();
  if (!options.resume.empty()) {
    stopped_run const stopped = load_run(options.resume, data, options, seed);
    trained.restore(stopped.state);
    run.epochs = stopped.epochs;
  }
  models::learning_rate_schedule const schedule = schedule_of(options);
  early_stopping stopping(options.patience);
  for (epoch_record const& epoch : run.epochs) stopping.see(epoch);
  auto const save = [&](std::string const& path) {
    if (context.rank() != 0) return;
    save_run(path, data, options, seed, {trained.state(data, options), run.epochs});
  };
  std::size_t const num_allocations = memory.num_allocations();
  for (int epoch = static_cast<int>(run.epochs.size()); epoch < options.num_epochs && !stopping.has_ended(); ++epoch) {
    trained.set_learning_rate(schedule.at(epoch));
    context.synchronize();
    auto const begin = clock::now();
    trained.run_epoch(epoch);
    context.synchronize();
    std::chrono::duration<double, std::milli> const elapsed = clock::now() - begin;
    epoch_record record = trained.score();
    record.milliseconds = elapsed.count();
    run.epochs.push_back(record);
    stopping.see(record);
    observe(epoch, record);
    if (options.save_every > 0 && (epoch + 1) % options.save_every == 0) save(options.save);
    bool const is_best = static_cast<int>(best_epoch(run.epochs)) == epoch;
    if (is_best && !options.save_best.empty()) save(options.save_best);
  }
  if (!options.save.empty()) save(options.save);
  run.has_stopped_early = stopping.has_ended() && static_cast<int>(run.epochs.size()) < options.num_epochs;
  run.last_epoch = run.epochs.size() - 1;
  run.best_epoch = best_epoch(run.epochs);
  run.peak_bytes = memory.peak_bytes();
  run.num_epoch_allocations = memory.num_allocations() - num_allocations;
  return run;
}

}  // namespace edgewise::train
