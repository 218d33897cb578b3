#include "models/gcn.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <edgewise/format/generate/karate_club.hpp>

#include "support/catch.hpp"

#include "host_matrix.hpp"
#include "models/adam.hpp"
#include "models/cross_entropy.hpp"
#include "support/graphs.hpp"

namespace edgewise::models {
namespace {

using graph_type = normalized_graph<double, testing::host_context>;
using gcn_type = gcn<double, testing::host_context>;
using loss_type = softmax_cross_entropy<double, testing::host_context>;

testing::test_graph karate() {
  auto const club = karate_club();
  auto const links = club.edges.view();
  testing::edge_list edges;
  for (int k = 0; k < links.num_edges; ++k) edges.push_back({links.sources[k], links.destinations[k]});
  return testing::make_test_graph("karate club", links.num_sources(), links.num_destinations(), edges);
}

// A model with random features, labels and parameters (biases too) over a graph.
struct problem {
  testing::host_context context;
  graph_type graph;
  random_state state{17, 3};
  gcn_type model;
  matrix<double, host_space> features;
  loss_type loss;

  problem(testing::test_graph const& edges, double dropout, testing::random_stream random)
      : graph(context, edges.csr(), edges.csc()),
        model(context, graph, {.num_features = 6, .num_hidden = 5, .num_classes = 3, .dropout = dropout}, &state),
        features(testing::random_host_matrix<double>(context, random, edges.num_sources, 6)),
        loss(context, labels(edges.num_sources)) {
    auto& parameters = model.all_parameters();
    for (std::int64_t i = 0; i < parameters.size(); ++i) parameters.values()[i] = random.uniform(-1, 1);
  }

  labelled_rows<testing::host_context> labels(int num_vertices) const {
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

TEST_CASE("the gradient of every GCN parameter equals central differences") {
  for (auto const& edges : {karate(), testing::directed(), testing::multi_edges()}) {
    for (double dropout : {0.0, 0.4}) {
      INFO(edges.name << ", dropout " << dropout);
      problem p(edges, dropout, testing::random_stream("gcn gradient"));
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

TEST_CASE("inference is the training pass without dropout") {
  problem without(testing::symmetric(), 0.0, testing::random_stream("gcn inference"));
  problem with(testing::symmetric(), 0.5, testing::random_stream("gcn inference"));
  auto const expected = testing::elements_of(without.model.forward(without.context, without.features.view()));
  CHECK(testing::elements_of(with.model.infer(with.context, with.features.view())) == expected);
  CHECK(testing::elements_of(with.model.forward(with.context, with.features.view())) != expected);
}

TEST_CASE("training draws another mask at every step and the same one in every repeat") {
  problem p(testing::symmetric(), 0.5, testing::random_stream("gcn steps"));
  double const first = p.evaluate();
  CHECK(p.evaluate() == first);
  p.context.for_each(1, advance_step{&p.state});
  CHECK(p.evaluate() != first);
}

TEST_CASE("training steps allocate nothing and lower the loss") {
  counting_resource memory(host_memory());
  testing::host_context const context(cpu{.memory = &memory});
  auto const edges = testing::symmetric();
  graph_type const graph(context, edges.csr(), edges.csc());
  random_state state{1, 0};
  gcn_type model(context, graph, {.num_features = 60, .num_classes = 2, .dropout = 0.0}, &state);
  model.initialize(context, 1);
  adam<double, testing::host_context> optimizer(context, model.all_parameters().size(), {});
  std::vector<double> identity(60 * 60);
  for (int v = 0; v < 60; ++v) identity[v * 60 + v] = 1;
  auto const features = testing::make_host_matrix(context, 60, 60, identity);
  std::vector<std::int32_t> labels, rows;
  for (std::int32_t v = 0; v < 60; ++v) {
    labels.push_back(v / 30);
    rows.push_back(v);
  }
  loss_type loss(context, labelled_rows<testing::host_context>(context, labels, rows, 2));

  std::size_t const num_allocations = memory.num_allocations();
  std::vector<double> losses;
  for (int step = 0; step < 100; ++step) {
    loss(context, model.forward(context, features.view()));
    model.backward(context, loss.gradient());
    optimizer.step(context, model.all_parameters());
    losses.push_back(loss.loss(context));
  }
  CHECK(memory.num_allocations() == num_allocations);
  CHECK(losses.front() == Approx(std::log(2)).margin(0.1));
  CHECK(losses.back() < 0.5 * losses.front());
}

TEST_CASE("the GCN names what does not fit") {
  problem p(testing::symmetric(), 0.5, testing::random_stream("gcn shapes"));
  auto const narrow = testing::make_host_matrix<double>(p.context, 60, 5, std::vector<double>(300));
  CHECK_THROWS_WITH(p.model.forward(p.context, narrow.view()), "gcn: x is [60, 5], expected [60, 6]");
  CHECK_THROWS_WITH(p.model.infer(p.context, narrow.view()), "gcn: x is [60, 5], expected [60, 6]");
  CHECK_THROWS_WITH(p.model.backward(p.context, narrow.view()), "gcn: dlogits is [60, 5], expected [60, 3]");
  CHECK_THROWS_WITH(gcn_type(p.context, p.graph, {.num_features = 6, .num_hidden = 0, .num_classes = 3}, &p.state),
                    "gcn: 6 features, 0 hidden and 3 classes: each must be at least 1");
  CHECK_THROWS_AS(gcn_type(p.context, p.graph, {.num_features = 6, .num_classes = 3, .dropout = 1.5}, &p.state),
                  invalid_argument);
}

}  // namespace
}  // namespace edgewise::models
