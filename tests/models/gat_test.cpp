#include "models/gat.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <catch2/catch.hpp>
#include <edgewise/format/convert.hpp>
#include <edgewise/format/generate/block_model.hpp>

#include "host_matrix.hpp"
#include "models/accuracy.hpp"
#include "models/adam.hpp"
#include "models/cross_entropy.hpp"
#include "support/graphs.hpp"

namespace edgewise::models {
namespace {

using testing::host_context;
using gat_type = gat<double, host_context>;

// A model with random features, labels and parameters (biases too) over a graph.
struct problem {
  host_context context;
  square_graph<host_context> graph;
  random_state state{17, 3};
  gat_type model;
  matrix<double, host_space> features;
  softmax_cross_entropy<double, host_context> loss;

  problem(testing::test_graph const& edges, double dropout, testing::random_stream random)
      : graph(context, edges.csr(), edges.csc()),
        model(context, graph,
              {.num_features = 5,
               .num_heads = 2,
               .num_hidden = 3,
               .num_classes = 3,
               .dropout = dropout,
               .attention_dropout = dropout},
              &state),
        features(testing::random_host_matrix<double>(context, random, edges.num_sources, 5)),
        loss(context, labels(edges.num_sources)) {
    auto& parameters = model.all_parameters();
    for (std::int64_t i = 0; i < parameters.size(); ++i) parameters.values()[i] = random.uniform(-1, 1);
  }

  labelled_rows<host_context> labels(int num_vertices) const {
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

TEST_CASE("the gradient of every GAT parameter equals central differences") {
  for (auto const& edges : {testing::symmetric(), testing::directed(), testing::multi_edges()}) {
    for (double dropout : {0.0, 0.4}) {
      INFO(edges.name << ", dropout " << dropout);
      problem p(edges, dropout, testing::random_stream("gat gradient"));
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
  }
}

TEST_CASE("inference of a GAT is the training pass without dropout") {
  problem without(testing::symmetric(), 0.0, testing::random_stream("gat inference"));
  problem with(testing::symmetric(), 0.5, testing::random_stream("gat inference"));
  auto const expected = testing::elements_of(without.model.forward(without.context, without.features.view()));
  CHECK(testing::elements_of(with.model.infer(with.context, with.features.view())) == expected);
  CHECK(testing::elements_of(with.model.forward(with.context, with.features.view())) != expected);
}

TEST_CASE("a GAT draws other masks at every step and the same ones in every repeat") {
  problem p(testing::symmetric(), 0.5, testing::random_stream("gat steps"));
  double const first = p.evaluate();
  CHECK(p.evaluate() == first);
  p.context.for_each(1, advance_step{&p.state});
  CHECK(p.evaluate() != first);
}

// What a training leaves: the loss of every step, the accuracy on unlabelled vertices, allocations while training.
struct training_result {
  std::vector<float> losses;
  double accuracy;
  std::size_t num_allocations;
};

// Trains the recipe on three communities of 60 vertices with identity features, of which ten of each are labelled.
training_result train_on_communities(int threads, std::uint64_t seed) {
  constexpr std::int32_t num_vertices = 180, block_size = 60, num_labelled = 10;
  auto const communities = generate_block_model(
      {.block_sizes = {block_size, block_size, block_size}, .inside = 0.15, .between = 0.01, .seed = 4});
  auto const by_destination = to_csr(cpu{}, communities.edges);
  auto const by_source = to_csc(cpu{}, communities.edges);
  counting_resource memory(host_memory());
  host_context const context(cpu{.threads = threads, .memory = &memory});
  square_graph<host_context> const graph(context, by_destination.view(), by_source.view());

  std::vector<std::int32_t> const labels(communities.labels.begin(), communities.labels.end());
  std::vector<std::int32_t> train_rows, test_rows;
  std::vector<float> identity(num_vertices * num_vertices);
  for (std::int32_t v = 0; v < num_vertices; ++v) {
    (v % block_size < num_labelled ? train_rows : test_rows).push_back(v);
    identity[v * num_vertices + v] = 1;
  }
  auto const features = testing::make_host_matrix(context, num_vertices, num_vertices, identity);
  random_state state{seed, 0};
  gat<float, host_context> model(context, graph, {.num_features = num_vertices, .num_classes = 3}, &state);
  model.initialize(context, seed);
  adam<float, host_context> optimizer(
      context, model.all_parameters().size(),
      {.learning_rate = 0.005, .weight_decay = 5e-4, .num_decayed = model.num_decayed()});
  softmax_cross_entropy<float, host_context> loss(context, {context, labels, train_rows, 3});
  accuracy<float, host_context> test_accuracy(context, {context, labels, test_rows, 3});

  training_result result{};
  std::size_t const num_allocations = memory.num_allocations();
  for (int step = 0; step < 120; ++step) {
    loss(context, model.forward(context, features.view()));
    model.backward(context, loss.gradient());
    optimizer.step(context, model.all_parameters());
    context.for_each(1, advance_step{&state});
    result.losses.push_back(loss.loss(context));
  }
  test_accuracy(context, model.infer(context, features.view()));
  result.num_allocations = memory.num_allocations() - num_allocations;
  result.accuracy = test_accuracy.value(context);
  return result;
}

TEST_CASE("a GAT finds communities, allocates nothing, and repeats to the bit on any number of threads") {
  training_result const first = train_on_communities(1, 5);
  CHECK(first.accuracy >= 0.9);  // a guess is right on a third
  CHECK(first.num_allocations == 0);
  CHECK(first.losses.front() == Approx(std::log(3)).margin(0.1));
  CHECK(train_on_communities(1, 5).losses == first.losses);
  CHECK(train_on_communities(3, 5).losses == first.losses);
  CHECK(train_on_communities(1, 6).losses != first.losses);
}

TEST_CASE("the GAT names what does not fit") {
  problem p(testing::symmetric(), 0.5, testing::random_stream("gat shapes"));
  auto const narrow = testing::make_host_matrix<double>(p.context, 60, 4, std::vector<double>(240));
  CHECK_THROWS_WITH(p.model.forward(p.context, narrow.view()), "gat: x is [60, 4], expected [60, 5]");
  CHECK_THROWS_WITH(p.model.infer(p.context, narrow.view()), "gat: x is [60, 4], expected [60, 5]");
  CHECK_THROWS_WITH(p.model.backward(p.context, narrow.view()), "gat: dlogits is [60, 4], expected [60, 3]");
  CHECK_THROWS_WITH(gat_type(p.context, p.graph, {.num_features = 5, .num_heads = 0, .num_classes = 3}, &p.state),
                    "gat: 5 features, 0 heads of 8 and 3 classes: each must be at least 1");
  CHECK_THROWS_AS(gat_type(p.context, p.graph, {.num_features = 5, .num_classes = 3, .dropout = 1.5}, &p.state),
                  invalid_argument);
  CHECK_THROWS_AS(gat_type(p.context, p.graph, {.num_features = 5, .num_classes = 3, .attention_dropout = 1}, &p.state),
                  invalid_argument);
}

}  // namespace
}  // namespace edgewise::models
