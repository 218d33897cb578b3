// The training of a small model, written once for every model and context, so that devices can be compared step by
// step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/adam.hpp"
#include "models/cross_entropy.hpp"
#include "models/initialize.hpp"
#include "models/labelled_rows.hpp"
#include "models/random_bits.hpp"
#include "support/test_graph.hpp"

namespace edgewise::testing {

/// A model over a graph with features, labels (class v mod 3, every second row) and optimiser, in a context's memory.
template <class Model>
class traced_training {
public:
  using Context = typename Model::context_type;
  static constexpr std::int64_t num_features = 40;
  static constexpr std::int64_t num_classes = 3;

  traced_training(Context const& context, test_graph const& edges)
      : context_(context),
        graph_(context, edges.csr(), edges.csc()),
        features_(context.template make_buffer<float>(edges.num_sources * num_features), edges.num_sources,
                  num_features),
        state_(context.template make_buffer<models::random_state>(1)),
        model_(context, graph_, features_.view(),
               {.num_features = num_features, .num_classes = num_classes, .dropout = 0.5}, state_.data()),
        loss_(context, labelled(edges.num_sources)),
        optimizer_(context, model_.all_parameters().size(),
                   {.weight_decay = 5e-4, .num_decayed = model_.num_decayed()}) {
    models::random_state const state{2026, 0};
    context.upload(&state, 1, state_.data());
    models::glorot_uniform(context, state, 7, features_.view());
    model_.initialize(context, 5);
    context.synchronize();
  }

  void step() {
    loss_(context_, model_.forward(context_));
    model_.backward(context_, loss_.gradient());
    optimizer_.step(context_, model_.all_parameters());
    context_.for_each(1, models::advance_step{state_.data()});
  }
  float loss() const { return loss_.loss(context_); }

private:
  models::labelled_rows<Context> labelled(int num_vertices) const {
    std::vector<std::int32_t> labels, rows;
    for (std::int32_t v = 0; v < num_vertices; ++v) {
      labels.push_back(v % 3);
      if (v % 2 == 0) rows.push_back(v);
    }
    return {context_, labels, rows, num_classes};
  }

  Context const& context_;
  typename Model::graph_type graph_;
  models::matrix<float, typename Context::space> features_;
  buffer<models::random_state, typename Context::space> state_;
  Model model_;
  models::softmax_cross_entropy<float, Context> loss_;
  models::adam<float, Context> optimizer_;
};

/// The loss of every step.
template <class Model>
std::vector<float> training_losses(typename Model::context_type const& context, test_graph const& edges,
                                   int num_steps) {
  traced_training<Model> training(context, edges);
  std::vector<float> losses;
  for (int step = 0; step < num_steps; ++step) {
    training.step();
    losses.push_back(training.loss());
  }
  return losses;
}

}  // namespace edgewise::testing
