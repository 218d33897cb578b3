// The small problems that attention models are tested on: gradients, and communities to be found.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <edgewise/format/convert.hpp>
#include <edgewise/format/generate/block_model.hpp>

#include "support/catch.hpp"

#include "host_matrix.hpp"
#include "models/accuracy.hpp"
#include "models/adam.hpp"
#include "models/cross_entropy.hpp"
#include "models/labelled_rows.hpp"
#include "models/random_bits.hpp"
#include "models/square_graph.hpp"
#include "support/test_graph.hpp"

namespace edgewise::testing {

/// A model with random features, labels and parameters (biases too) over a graph.
template <class Model>
struct model_problem {
  host_context context;
  models::square_graph<host_context> graph;
  models::random_state state{17, 3};
  Model model;
  models::matrix<double, host_space> features;
  models::softmax_cross_entropy<double, host_context> loss;

  model_problem(test_graph const& edges, double dropout, random_stream random)
      : graph(context, edges.csr(), edges.csc()),
        model(context, graph,
              {.num_features = 5,
               .num_heads = 2,
               .num_hidden = 3,
               .num_classes = 3,
               .dropout = dropout,
               .attention_dropout = dropout},
              &state),
        features(random_host_matrix<double>(context, random, edges.num_sources, 5)),
        loss(context, labels(edges.num_sources)) {
    auto& parameters = model.all_parameters();
    for (std::int64_t i = 0; i < parameters.size(); ++i) parameters.values()[i] = random.uniform(-1, 1);
  }

  models::labelled_rows<host_context> labels(int num_vertices) const {
    std::vector<std::int32_t> labels, rows;
    for (std::int32_t v = 0; v < num_vertices; ++v) {
      labels.push_back(v % 3);
      if (v % 2 == 0) rows.push_back(v);
    }
    return {context, labels, rows, 3};
  }

  double evaluate() {
    loss(context, model.forward(context, features.view()));
    return loss.loss(context);
  }
};

/// Compares the gradient of every parameter with central differences.
template <class Model>
void check_parameter_gradients(model_problem<Model>& p) {
  p.evaluate();
  p.model.backward(p.context, p.loss.gradient());
  auto& parameters = p.model.all_parameters();
  double largest = 0;
  for (std::int64_t i = 0; i < parameters.size(); ++i) {
    double const gradient = parameters.gradients()[i];
    double const value = parameters.values()[i];
    double const step = 1e-6;
    parameters.values()[i] = value + step;
    double const above = p.evaluate();
    parameters.values()[i] = value - step;
    double const below = p.evaluate();
    parameters.values()[i] = value;
    CHECK(gradient == Approx((above - below) / (2 * step)).epsilon(1e-6).margin(1e-8));
    largest = std::max(largest, std::abs(gradient));
  }
  CHECK(largest > 1e-3);  // there was something to compare
}

/// What a training leaves: the loss of every step, the accuracy on unlabelled vertices, allocations while training.
struct training_result {
  std::vector<float> losses;
  double accuracy;
  std::size_t num_allocations;
};

/// Trains a recipe on three communities of 60 vertices with identity features, of which ten of each are labelled.
template <template <class, class> class Model>
training_result train_on_communities(int threads, std::uint64_t seed) {
  constexpr std::int32_t num_vertices = 180, block_size = 60, num_labelled = 10;
  auto const communities = generate_block_model(
      {.block_sizes = {block_size, block_size, block_size}, .inside = 0.15, .between = 0.01, .seed = 4});
  auto const by_destination = to_csr(cpu{}, communities.edges);
  auto const by_source = to_csc(cpu{}, communities.edges);
  counting_resource memory(host_memory());
  host_context const context(cpu{.threads = threads, .memory = &memory});
  models::square_graph<host_context> const graph(context, by_destination.view(), by_source.view());

  std::vector<std::int32_t> const labels(communities.labels.begin(), communities.labels.end());
  std::vector<std::int32_t> train_rows, test_rows;
  std::vector<float> identity(num_vertices * num_vertices);
  for (std::int32_t v = 0; v < num_vertices; ++v) {
    (v % block_size < num_labelled ? train_rows : test_rows).push_back(v);
    identity[v * num_vertices + v] = 1;
  }
  auto const features = make_host_matrix(context, num_vertices, num_vertices, identity);
  models::random_state state{seed, 0};
  Model<float, host_context> model(context, graph, {.num_features = num_vertices, .num_classes = 3}, &state);
  model.initialize(context, seed);
  models::adam<float, host_context> optimizer(
      context, model.all_parameters().size(),
      {.learning_rate = 0.005, .weight_decay = 5e-4, .num_decayed = model.num_decayed()});
  models::softmax_cross_entropy<float, host_context> loss(context, {context, labels, train_rows, 3});
  models::accuracy<float, host_context> test_accuracy(context, {context, labels, test_rows, 3});

  training_result result{};
  std::size_t const num_allocations = memory.num_allocations();
  for (int step = 0; step < 120; ++step) {
    loss(context, model.forward(context, features.view()));
    model.backward(context, loss.gradient());
    optimizer.step(context, model.all_parameters());
    context.for_each(1, models::advance_step{&state});
    result.losses.push_back(loss.loss(context));
  }
  test_accuracy(context, model.infer(context, features.view()));
  result.num_allocations = memory.num_allocations() - num_allocations;
  result.accuracy = test_accuracy.value(context);
  return result;
}

}  // namespace edgewise::testing
