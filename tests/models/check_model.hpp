// The small problems that models are tested on: their formula, gradients, and communities to be found.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <edgewise/format/convert.hpp>
#include <edgewise/format/generate/block_model.hpp>

#include "support/catch.hpp"

#include "dense_formula.hpp"
#include "host_matrix.hpp"
#include "models/accuracy.hpp"
#include "models/adam.hpp"
#include "models/cross_entropy.hpp"
#include "models/labelled_rows.hpp"
#include "models/node_options.hpp"
#include "models/random_bits.hpp"
#include "support/graphs.hpp"
#include "support/test_graph.hpp"

namespace edgewise::testing {

/// A model with random features, labels and parameters (biases too) over a graph.
template <class Model>
struct model_problem {
  host_context context;
  typename Model::graph_type graph;
  models::random_state state{17, 3};
  models::matrix<double, host_space> features;
  Model model;
  models::softmax_cross_entropy<double, host_context> loss;

  model_problem(test_graph const& edges, double dropout, random_stream random)
      : graph(context, edges.csr(), edges.csc()),
        features(random_host_matrix<double>(context, random, edges.num_sources, 5)),
        model(context, graph, features.view(),
              {.num_features = 5,
               .num_heads = 2,
               .num_hidden = 3,
               .num_classes = 3,
               .dropout = dropout,
               .attention_dropout = dropout},
              &state),
        loss(context, labels(context, edges.num_sources)) {
    fill(model.all_parameters(), random);
  }

  /// Random parameters; what lies between them stays 0.
  template <class Parameters>
  static void fill(Parameters& parameters, random_stream& random) {
    for (std::size_t k = 0; k < parameters.count(); ++k) {
      auto const values = parameters.value(k);
      for (std::int64_t i = 0; i < values.size(); ++i)
        values.at(i / values.cols, i % values.cols) = random.uniform(-1, 1);
    }
  }

  static models::labelled_rows<host_context> labels(host_context const& context, int num_vertices) {
    std::vector<std::int32_t> labels, rows;
    for (std::int32_t v = 0; v < num_vertices; ++v) {
      labels.push_back(v % 3);
      if (v % 2 == 0) rows.push_back(v);
    }
    return {context, labels, rows, 3};
  }

  double evaluate() {
    loss(context, model.forward(context));
    return loss.loss(context);
  }
};

/// Compares the gradient of every parameter with central differences.
template <class Problem>
void check_parameter_gradients(Problem& p) {
  p.evaluate();
  p.model.backward(p.context, p.loss.gradient());
  auto& parameters = p.model.all_parameters();
  std::vector<double> const gradients(parameters.gradients(), parameters.gradients() + parameters.size());
  std::vector<bool> is_gap(gradients.size(), true);
  double largest = 0;
  for (std::size_t k = 0; k < parameters.count(); ++k) {
    auto const values = parameters.value(k);
    for (std::int64_t i = 0; i < values.size(); ++i) {
      double& element = values.at(i / values.cols, i % values.cols);
      auto const at = static_cast<std::size_t>(&element - parameters.values());
      double const value = element, step = 1e-6;
      element = value + step;
      double const above = p.evaluate();
      element = value - step;
      double const below = p.evaluate();
      element = value;
      CHECK(gradients[at] == Approx((above - below) / (2 * step)).epsilon(1e-6).margin(1e-8));
      largest = std::max(largest, std::abs(gradients[at]));
      is_gap[at] = false;
    }
  }
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    if (is_gap[i]) CHECK(gradients[i] == 0);
  }
  CHECK(largest > 1e-3);  // there was something to compare
}

/// How often a text has a part.
inline int count_in(std::string const& text, std::string const& part) {
  int count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

/// How many masks a model has besides that of its input, by their rates.
struct mask_counts {
  int of_rows;
  int of_attention = 0;
};

/// Compares gradients with differences, with dropout and without, and what a model gives with `formula(graph, x,
/// parameters, output heads)`, rows of 3 logits of features x, without dropout; and asks `explain` for the masks'
/// rates.
template <template <class, class> class Model, class Formula>
void check_model(char const* name, mask_counts masks, Formula const& formula) {
  using model_type = Model<double, host_context>;
  for (auto const& edges : {symmetric(), directed(), multi_edges()}) {
    for (double dropout : {0.0, 0.4}) {
      INFO(name << " over " << edges.name << ", dropout " << dropout);
      model_problem<model_type> p(edges, dropout, random_stream(name));
      check_parameter_gradients(p);
      if (dropout > 0) continue;
      dense_parameters const parameters = read_parameters(p.model.all_parameters());
      auto const expected = formula(edges, dense_rows{5, elements_of(p.features.view())}, parameters, 1);
      auto const logits = elements_of(p.model.infer(p.context));
      REQUIRE(logits.size() == expected.elements.size());
      for (std::size_t i = 0; i < logits.size(); ++i)
        CHECK(logits[i] == Approx(expected.elements[i]).epsilon(1e-9).margin(1e-11));
    }
  }
  {
    model_problem<model_type> p(directed(), 0.0, random_stream(name));
    models::node_options const sizes{.num_features = 5,
                                     .num_heads = 2,
                                     .num_hidden = 3,
                                     .num_classes = 3,
                                     .dropout = 0.375,
                                     .attention_dropout = 0.125,
                                     .num_output_heads = 2};
    model_type model(p.context, p.graph, p.features.view(), sizes, &p.state);
    auto& parameters = model.all_parameters();
    random_stream random(name);
    p.fill(parameters, random);
    auto const expected =
        formula(directed(), dense_rows{5, elements_of(p.features.view())}, read_parameters(parameters), 2);
    auto const logits = elements_of(model.infer(p.context));
    REQUIRE(logits.size() == expected.elements.size());
    for (std::size_t i = 0; i < logits.size(); ++i)
      CHECK(logits[i] == Approx(expected.elements[i]).epsilon(1e-9).margin(1e-11));
    // A line of the gathers, or of the epilogue, for each mask.
    CHECK(count_in(model.explain(), ", 0.375)") == masks.of_rows);
    CHECK(count_in(model.explain(), ", 0.125)") == masks.of_attention);
  }
  model_problem<model_type> with(symmetric(), 0.5, random_stream(name)), without(symmetric(), 0.0, random_stream(name));
  CHECK(elements_of(with.model.infer(with.context)) == elements_of(without.model.forward(without.context)));
  auto const narrow = make_host_matrix<double>(with.context, 60, 4, std::vector<double>(240));
  CHECK_THROWS_WITH(
      model_type(with.context, with.graph, narrow.view(), {.num_features = 5, .num_classes = 3}, &with.state),
      std::string(name) + ": x is [60, 4], expected [60, 5]");
  CHECK_THROWS_WITH(with.model.backward(with.context, narrow.view()),
                    std::string(name) + ": dlogits is [60, 4], expected [60, 3]");
  CHECK_THROWS_WITH(
      model_type(with.context, with.graph, with.features.view(), {.num_features = 5, .num_heads = 0, .num_classes = 3},
                 &with.state),
      std::string(name) + ": 5 features, 0 heads of 8, 1 output heads and 3 classes: each must be at least 1");
}

/// What a training leaves: the loss of every step, the accuracy on unlabelled vertices, allocations while training.
struct training_result {
  std::vector<double> losses;
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
  typename Model<double, host_context>::graph_type const graph(context, by_destination.view(), by_source.view());

  std::vector<std::int32_t> const labels(communities.labels.begin(), communities.labels.end());
  std::vector<std::int32_t> train_rows, test_rows;
  std::vector<double> identity(num_vertices * num_vertices);
  for (std::int32_t v = 0; v < num_vertices; ++v) {
    (v % block_size < num_labelled ? train_rows : test_rows).push_back(v);
    identity[v * num_vertices + v] = 1;
  }
  auto const features = make_host_matrix(context, num_vertices, num_vertices, identity);
  models::random_state state{seed, 0};
  Model<double, host_context> model(context, graph, features.view(), {.num_features = num_vertices, .num_classes = 3},
                                    &state);
  model.initialize(context, seed);
  models::adam<double, host_context> optimizer(
      context, model.all_parameters().size(),
      {.learning_rate = 0.005, .weight_decay = 5e-4, .num_decayed = model.num_decayed()});
  models::softmax_cross_entropy<double, host_context> loss(context, {context, labels, train_rows, 3});
  models::accuracy<double, host_context> test_accuracy(context, {context, labels, test_rows, 3});

  training_result result{};
  std::size_t const num_allocations = memory.num_allocations();
  for (int step = 0; step < 120; ++step) {
    loss(context, model.forward(context));
    model.backward(context, loss.gradient());
    optimizer.step(context, model.all_parameters());
    context.for_each(1, models::advance_step{&state});
    result.losses.push_back(loss.loss(context));
  }
  test_accuracy(context, model.infer(context));
  result.num_allocations = memory.num_allocations() - num_allocations;
  result.accuracy = test_accuracy.value(context);
  return result;
}

/// A model finds communities, allocates nothing while it trains, and repeats to the bit on any number of threads. Its
/// first loss is that of a guess, up to `margin`.
template <template <class, class> class Model>
void check_training(double margin = 0.1) {
  auto const first = train_on_communities<Model>(1, 5);
  CHECK(first.accuracy >= 0.9);  // a guess is right on a third
  CHECK(first.num_allocations == 0);
  CHECK(first.losses.front() == Approx(std::log(3)).margin(margin));
  CHECK(first.losses.back() < first.losses.front());
  CHECK(train_on_communities<Model>(3, 5).losses == first.losses);
  CHECK(train_on_communities<Model>(1, 6).losses != first.losses);
}

}  // namespace edgewise::testing
