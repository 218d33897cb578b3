#include "models/rgcn.hpp"

#include <cmath>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "support/catch.hpp"

#include "check_model.hpp"

namespace edgewise::testing {
namespace {

using model_type = models::rgcn<double, host_context>;

std::vector<std::int32_t> types_of(test_graph const& graph) {
  std::vector<std::int32_t> types;
  for (int e = 0; e < graph.num_edges(); ++e) types.push_back(test_graph::type_of(e));
  return types;
}

/// R-GCN with two bases, three hidden channels and random parameters, over a graph whose edges have types.
struct rgcn_problem {
  host_context context;
  model_type::graph_type graph;
  models::random_state state{17, 3};
  models::matrix<double, host_space> features;
  model_type model;
  models::softmax_cross_entropy<double, host_context> loss;

  rgcn_problem(test_graph const& edges, double dropout, random_stream random = random_stream("rgcn"))
      : graph(context, edges.csr(), edges.csc(), types_of(edges), test_graph::num_types),
        features(random_host_matrix<double>(context, random, edges.num_sources, 4)),
        model(context, graph, features.view(),
              {.num_features = 4,
               .num_hidden = 3,
               .num_classes = 3,
               .dropout = dropout,
               .num_relations = test_graph::num_types,
               .num_bases = 2},
              &state),
        loss(context, labels(edges.num_sources)) {
    for (std::size_t k = 0; k < model.all_parameters().count(); ++k) {
      auto const values = model.all_parameters().value(k);
      for (std::int64_t i = 0; i < values.size(); ++i) {
        values.at(i / values.cols, i % values.cols) = random.uniform(-1, 1);
      }
    }
  }
  models::labelled_rows<host_context> labels(int num_vertices) const {
    std::vector<std::int32_t> labels, rows;
    for (std::int32_t v = 0; v < num_vertices; ++v) labels.push_back(v % 3);
    for (std::int32_t v = 0; v < num_vertices; v += 2) rows.push_back(v);
    return {context, labels, rows, 3};
  }
  double evaluate() {
    loss(context, model.forward(context));
    return loss.loss(context);
  }
};

/// One layer on rows [V, inputs]; `own`: the coefficients of self edges.
dense_rows convolve(test_graph const& graph, dense_rows const& rows, dense_rows const& bases, dense_rows const& a,
                    dense_rows const& own, dense_rows const& bias) {
  int const channels = bias.width, num_bases = own.width;
  std::map<std::pair<int, int>, int> count;  // of edges, by destination and type
  for (int e = 0; e < graph.num_edges(); ++e) ++count[{graph.destinations[e], test_graph::type_of(e)}];
  dense_rows y = zeros(graph.num_destinations, channels);
  auto const add_edge = [&](int u, int v, double weight, dense_rows const& coefficients, int type) {
    int const inputs = bases.count();
    for (int j = 0; j < channels; ++j) {
      for (int n = 0; n < num_bases; ++n) {
        double product = 0;
        for (int i = 0; i < inputs; ++i) product += rows.at(u, i) * bases.at(i, n * channels + j);
        y.at(v, j) += weight * coefficients.at(type, n) * product;
      }
    }
  };
  for (int e = 0; e < graph.num_edges(); ++e) {
    int const v = graph.destinations[e], type = test_graph::type_of(e);
    add_edge(graph.sources[e], v, 1.0 / count[{v, type}], a, type);
  }
  for (int v = 0; v < graph.num_destinations; ++v) add_edge(v, v, 1, own, 0);
  return add(y, bias, same);
}
/// Parameters: of each layer V, a, a of self edges and b, those that decay first.
dense_rows formula(test_graph const& graph, dense_rows const& x, dense_parameters const& p) {
  dense_rows hidden = convolve(graph, x, p[0], p[1], p[2], p[3]);
  for (double& x : hidden.elements) x = ramp(x);
  return convolve(graph, hidden, p[4], p[5], p[6], p[7]);
}

TEST_CASE("rgcn: its formula, gradients and inference", "[models]") {
  for (auto const& edges : {symmetric(), directed(), multi_edges()}) {
    for (double dropout : {0.0, 0.4}) {
      INFO(edges.name << ", dropout " << dropout);
      rgcn_problem p(edges, dropout);
      check_parameter_gradients(p);
      auto const logits = elements_of(p.model.infer(p.context));
      auto const expected =
          formula(edges, dense_rows{4, elements_of(p.features.view())}, read_parameters(p.model.all_parameters()));
      REQUIRE(logits.size() == expected.elements.size());
      for (std::size_t i = 0; i < logits.size(); ++i)
        CHECK(logits[i] == Approx(expected.elements[i]).epsilon(1e-9).margin(1e-11));
    }
  }
  rgcn_problem p(symmetric(), 0.0);
  // Behind bases and coefficients of the first layer.
  CHECK(p.model.num_decayed() == p.model.all_parameters().value(3).data - p.model.all_parameters().values());
  auto const wide = make_host_matrix<double>(p.context, 60, 5, std::vector<double>(300));
  models::node_options options{.num_features = 4, .num_classes = 3, .num_relations = 7};
  CHECK_THROWS_WITH(model_type(p.context, p.graph, wide.view(), options, &p.state),
                    "rgcn: x is [60, 5], expected [60, 4]");
  options.num_bases = 0;
  CHECK_THROWS_WITH(model_type(p.context, p.graph, p.features.view(), options, &p.state),
                    "rgcn: 7 relations and 0 bases: each must be at least 1");
}

TEST_CASE("rgcn: with a basis for each type and for self edges, each has its own matrix", "[models]") {
  rgcn_problem p(symmetric(), 0.0);
  constexpr int num_types = test_graph::num_types;
  model_type model(p.context, p.graph, p.features.view(),
                   {.num_features = 4, .num_classes = 3, .num_relations = num_types, .num_bases = num_types + 1},
                   &p.state);
  model.initialize(p.context, 3);
  for (std::size_t first : {1, 5}) {  // of both layers: a, and behind it that of self edges
    auto const types = model.all_parameters().value(first), own = model.all_parameters().value(first + 1);
    for (int n = 0; n <= num_types; ++n) {
      for (int type = 0; type < num_types; ++type) CHECK(types.at(type, n) == (type == n ? 1 : 0));
      CHECK(own.at(0, n) == (n == num_types ? 1 : 0));
    }
  }
  p.loss(p.context, model.forward(p.context));
  model.backward(p.context, p.loss.gradient());
  for (std::size_t place = 0; place < model.all_parameters().count(); ++place) {
    auto const gradient = model.all_parameters().gradient(place);
    double largest = 0;
    for (std::int64_t i = 0; i < gradient.size(); ++i) {
      largest = std::max(largest, std::abs(gradient.at(i / gradient.cols, i % gradient.cols)));
    }
    bool const is_fixed = std::set<std::size_t>{1, 2, 5, 6}.count(place) > 0;
    CHECK((largest == 0) == is_fixed);
  }
  // Matrices of bases are drawn one by one: Glorot's bound is that of [4, 8] and of [8, 3].
  for (auto const& [place, sum] : {std::pair{0, 4 + 8}, {4, 8 + 3}}) {
    auto const matrices = model.all_parameters().value(static_cast<std::size_t>(place));
    double largest = 0;
    for (std::int64_t i = 0; i < matrices.size(); ++i)
      largest = std::max(largest, std::abs(matrices.at(i / matrices.cols, i % matrices.cols)));
    CHECK(largest == Approx(std::sqrt(6.0 / sum)).epsilon(0.1));
    CHECK(largest <= std::sqrt(6.0 / sum));
  }
}

/// Trains on a graph in which the class of a vertex is the type of half of the edges into it, all others being of a
/// fourth type. Edges come from few vertices, as those of a knowledge graph do; a third of the vertices is labelled.
training_result train_on_types(int threads) {
  constexpr int num_vertices = 150, degree = 8, num_hubs = 12;
  random_stream random("rgcn: training");
  std::vector<std::int32_t> labels, types, train_rows, test_rows;
  edge_list edges;
  for (int v = 0; v < num_vertices; ++v) {
    labels.push_back(v % 3);
    (v < num_vertices / 3 ? train_rows : test_rows).push_back(v);
    for (int k = 0; k < degree; ++k) {
      edges.push_back({random.below(num_hubs), v});
      types.push_back(random.uniform() < 0.5 ? v % 3 : 3);
    }
  }
  auto const drawn = make_test_graph("drawn", num_vertices, num_vertices, edges);
  counting_resource memory(host_memory());
  host_context const context(cpu{.threads = threads, .memory = &memory});
  model_type::graph_type const graph(context, drawn.csr(), drawn.csc(), types, 4);
  models::random_state state{5, 0};
  std::vector<double> identity(num_vertices * num_vertices);
  for (std::size_t v = 0; v < num_vertices; ++v) identity[v * num_vertices + v] = 1;
  auto const x = make_host_matrix(context, num_vertices, num_vertices, identity);
  model_type model(context, graph, x.view(),
                   {.num_features = num_vertices,
                    .num_hidden = 16,
                    .num_classes = 3,
                    .dropout = 0,
                    .num_relations = 4,
                    .num_bases = 2},
                   &state);
  model.initialize(context, 5);
  models::adam<double, host_context> optimizer(
      context, model.all_parameters().size(),
      {.learning_rate = 0.01, .weight_decay = 5e-4, .num_decayed = model.num_decayed()});
  models::softmax_cross_entropy<double, host_context> loss(context, {context, labels, train_rows, 3});
  models::accuracy<double, host_context> accuracy(context, {context, labels, test_rows, 3});

  training_result result{};
  std::size_t const num_allocations = memory.num_allocations();
  for (int step = 0; step < 60; ++step) {
    loss(context, model.forward(context));
    model.backward(context, loss.gradient());
    optimizer.step(context, model.all_parameters());
    result.losses.push_back(loss.loss(context));
  }
  accuracy(context, model.infer(context));
  result.num_allocations = memory.num_allocations() - num_allocations;
  result.accuracy = accuracy.value(context);
  return result;
}

TEST_CASE("rgcn: learns what types say, allocates nothing and repeats to the bit", "[models]") {
  auto const first = train_on_types(1);
  CHECK(first.accuracy >= 0.9);  // a guess is right on a third
  CHECK(first.num_allocations == 0);
  CHECK(first.losses.back() < 0.1 * first.losses.front());
  CHECK(train_on_types(3).losses == first.losses);
}

}  // namespace
}  // namespace edgewise::testing
