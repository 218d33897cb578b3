#include "models/gat_layer.hpp"

#include <cmath>
#include <vector>

#include "support/catch.hpp"

#include "host_matrix.hpp"
#include "layer_formula.hpp"
#include "support/graphs.hpp"

namespace edgewise::models {
namespace {

using graph_type = square_graph<testing::host_context>;
using sum_layer = gat_layer<double, testing::host_context, gat_sum_program>;
using hidden_layer = gat_layer<double, testing::host_context, gat_hidden_program>;
using testing::attention_stream;
using testing::mask;
using testing::result_stream;
using row = testing::elements;

// The layer's formula in plain loops, sharing no code with it: all arrays row-major, masks from their definition.
struct formula {
  testing::test_graph edges;
  int features, heads, channels;
  bool is_hidden;
  double attention_dropout, dropout;
  row x, weight, source_attention, destination_attention, bias;

  int width() const { return heads * channels; }

  row projection() const {
    row z(static_cast<std::size_t>(edges.num_sources * width()));
    for (int v = 0; v < edges.num_sources; ++v) {
      for (int c = 0; c < width(); ++c) {
        for (int f = 0; f < features; ++f) z[v * width() + c] += x[v * features + f] * weight[f * width() + c];
      }
    }
    return z;
  }

  double score(row const& z, int u, int v, int head) const {
    double sum = 0;
    for (int c = head * channels; c < (head + 1) * channels; ++c) {
      sum += source_attention[c] * z[u * width() + c] + destination_attention[c] * z[v * width() + c];
    }
    return sum > 0 ? sum : 0.2 * sum;
  }

  // What reaches v in one head: its edges, then itself under the number behind the edges'.
  void attend(row const& z, int v, int head, row& y) const {
    row weights;
    std::vector<int> sources, numbers;
    auto const add = [&](int u, int number) {
      weights.push_back(std::exp(score(z, u, v, head)));
      sources.push_back(u);
      numbers.push_back(number);
    };
    for (int k = edges.by_destination.offsets[v]; k < edges.by_destination.offsets[v + 1]; ++k) {
      add(edges.by_destination.neighbors[k], edges.by_destination.edge_ids[k]);
    }
    add(v, edges.num_edges() + v);
    double total = 0;
    for (double w : weights) total += w;
    for (int c = head * channels; c < (head + 1) * channels; ++c) {
      double sum = bias[c];
      for (std::size_t i = 0; i < weights.size(); ++i) {
        double const kept = mask(attention_stream, random_owner::edge, numbers[i], head, attention_dropout);
        sum += kept * weights[i] / total * z[sources[i] * width() + c];
      }
      if (is_hidden) {
        sum = sum > 0 ? sum : std::exp(sum) - 1;
        sum *= mask(result_stream, random_owner::row, v, c, dropout);
      }
      y[v * width() + c] = sum;
    }
  }

  row operator()() const {
    row const z = projection();
    row y(z.size());
    for (int v = 0; v < edges.num_sources; ++v) {
      for (int head = 0; head < heads; ++head) attend(z, v, head, y);
    }
    return y;
  }
};

matrix<double, host_space> host_copy(testing::host_context const& context, int rows, int cols, row const& elements) {
  return testing::make_host_matrix<double>(context, rows, cols, elements);
}

// Runs a layer on the operands of a formula and compares all it gives.
template <class Layer, class Program>
void check_layer(formula const& expected, Program const& program) {
  testing::host_context const context;
  testing::random_stream random("gat layer gradient");
  int const n = expected.edges.num_sources;
  int const features = expected.features, heads = expected.heads, channels = expected.channels,
            width = expected.width();
  auto const undefined = [&](int rows, int cols) { return host_copy(context, rows, cols, row(rows * cols, NAN)); };
  auto x = host_copy(context, n, features, expected.x), weight = host_copy(context, features, width, expected.weight);
  auto left = host_copy(context, heads, channels, expected.source_attention);
  auto right = host_copy(context, heads, channels, expected.destination_attention);
  auto bias = host_copy(context, 1, width, expected.bias);
  auto dy = testing::random_host_matrix<double>(context, random, n, width);
  auto y = undefined(n, width), inferred = undefined(n, width), dx = undefined(n, features);
  auto dweight = undefined(features, width), dbias = undefined(1, width);
  auto dleft = undefined(heads, channels), dright = undefined(heads, channels);

  graph_type const graph(context, expected.edges.csr(), expected.edges.csc());
  Layer layer(context, graph, program, {weight.view(), left.view(), right.view(), bias.view()},
              {.attention = random_numbers(&testing::mask_state, attention_stream),
               .result = random_numbers(&testing::mask_state, result_stream)});
  layer.infer(context, x.view(), inferred.view());
  layer.forward(context, x.view(), y.view());
  layer.backward(context, x.view(), dy.view(), {dweight.view(), dleft.view(), dright.view(), dbias.view()});
  layer.input_gradient(context, dx.view());

  using testing::check_equal;
  using testing::check_gradient;
  using testing::elements_of;
  check_equal(elements_of(y.view()), expected());
  formula without_dropout = expected;
  without_dropout.attention_dropout = without_dropout.dropout = 0;
  check_equal(elements_of(inferred.view()), without_dropout());
  row const cotangent = elements_of(dy.view());
  check_gradient(elements_of(dx.view()), expected, &formula::x, cotangent);
  check_gradient(elements_of(dweight.view()), expected, &formula::weight, cotangent);
  check_gradient(elements_of(dleft.view()), expected, &formula::source_attention, cotangent);
  check_gradient(elements_of(dright.view()), expected, &formula::destination_attention, cotangent);
  check_gradient(elements_of(dbias.view()), expected, &formula::bias, cotangent);
}

formula random_formula(testing::test_graph const& edges, int heads, int channels, bool is_hidden) {
  testing::random_stream random("gat layer");
  int const features = 3;
  auto const draw = [&](int size) { return testing::random_elements(random, size); };
  int const width = heads * channels;
  return {.edges = edges,
          .features = features,
          .heads = heads,
          .channels = channels,
          .is_hidden = is_hidden,
          .attention_dropout = 0.4,
          .dropout = 0.5,
          .x = draw(edges.num_sources * features),
          .weight = draw(features * width),
          .source_attention = draw(width),
          .destination_attention = draw(width),
          .bias = draw(width)};
}

TEST_CASE("a GAT layer is its formula, forward and backward, on every graph") {
  for (auto const& edges : testing::small_battery()) {
    if (!edges.is_square()) continue;
    for (auto const& [heads, channels] : {std::pair{1, 1}, {1, 7}, {3, 2}, {2, 8}}) {
      INFO(edges.name << ", " << heads << " heads of " << channels);
      check_layer<sum_layer>(random_formula(edges, heads, channels, false), gat_sum(0.4));
      check_layer<hidden_layer>(random_formula(edges, heads, channels, true), gat_hidden(0.4, 0.5));
    }
  }
}

TEST_CASE("a GAT layer names operands of another shape") {
  testing::host_context const context;
  auto const edges = testing::chain(5);
  graph_type const graph(context, edges.csr(), edges.csc());
  auto const make = [&](int rows, int cols) { return host_copy(context, rows, cols, row(rows * cols)); };
  auto weight = make(4, 6), left = make(2, 3), right = make(2, 3), bias = make(1, 6);
  auto narrow_weight = make(4, 5), turned = make(3, 2), narrow_bias = make(1, 3);
  auto const layer_of = [&](auto& w, auto& r, auto& b) {
    return sum_layer(context, graph, gat_sum(0.0), {w.view(), left.view(), r.view(), b.view()});
  };
  CHECK_THROWS_WITH(layer_of(narrow_weight, right, bias), "gat_layer: weight is [4, 5], expected [4, 6]");
  CHECK_THROWS_WITH(layer_of(weight, turned, bias), "gat_layer: destination_attention is [3, 2], expected [2, 3]");
  CHECK_THROWS_WITH(layer_of(weight, right, narrow_bias), "gat_layer: bias is [1, 3], expected [1, 6]");

  sum_layer layer(context, graph, gat_sum(0.0), {weight.view(), left.view(), right.view(), bias.view()});
  auto x = make(5, 4), narrow = make(5, 3), y = make(5, 6);
  CHECK_THROWS_AS(layer.forward(context, narrow.view(), y.view()), invalid_argument);
  CHECK_THROWS_WITH(layer.forward(context, x.view(), narrow.view()), "gat_layer: y is [5, 3], expected [5, 6]");
  CHECK_THROWS_WITH(layer.infer(context, x.view(), narrow.view()), "gat_layer: y is [5, 3], expected [5, 6]");
  layer.forward(context, x.view(), y.view());
  CHECK_THROWS_WITH(
      layer.backward(context, x.view(), narrow.view(), {weight.view(), left.view(), right.view(), bias.view()}),
      "gat_layer: dy is [5, 3], expected [5, 6]");
  CHECK_THROWS_WITH(
      layer.backward(context, x.view(), y.view(), {weight.view(), turned.view(), right.view(), bias.view()}),
      "gat_layer: gradient of source_attention is [3, 2], expected [2, 3]");
  CHECK_THROWS_AS(gat_sum(1.0), invalid_argument);
  CHECK_THROWS_AS(gat_hidden(0.5, -0.1), invalid_argument);
}

}  // namespace
}  // namespace edgewise::models
