#include "models/gt_layer.hpp"

#include <cmath>
#include <vector>

#include "support/catch.hpp"

#include "host_matrix.hpp"
#include "layer_formula.hpp"
#include "support/graphs.hpp"

namespace edgewise::models {
namespace {

using graph_type = square_graph<testing::host_context>;
using sum_layer = gt_layer<double, testing::host_context, gt_sum_program>;
using hidden_layer = gt_layer<double, testing::host_context, gt_hidden_program>;
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
  row x, weight, query_bias, bias;  // columns of weight: queries, keys, values, skip

  int width() const { return heads * channels; }

  // Part `index` of x W, [V, width].
  row project(int index) const {
    row z(static_cast<std::size_t>(edges.num_sources * width()));
    for (int v = 0; v < edges.num_sources; ++v) {
      for (int c = 0; c < width(); ++c) {
        for (int f = 0; f < features; ++f) {
          z[v * width() + c] += x[v * features + f] * weight[f * 4 * width() + index * width() + c];
        }
      }
    }
    return z;
  }

  row operator()() const {
    row const queries = project(0), keys = project(1), values = project(2);
    row y = project(3);
    for (int v = 0; v < edges.num_sources; ++v) {
      for (int head = 0; head < heads; ++head) attend(queries, keys, values, v, head, y);
    }
    return y;
  }

  void attend(row const& queries, row const& keys, row const& values, int v, int head, row& y) const {
    int const begin = edges.by_destination.offsets[v], end = edges.by_destination.offsets[v + 1];
    row weights;
    double total = 0;
    for (int k = begin; k < end; ++k) {
      double score = 0;
      for (int c = head * channels; c < (head + 1) * channels; ++c) {
        score += (queries[v * width() + c] + query_bias[c]) * keys[edges.by_destination.neighbors[k] * width() + c];
      }
      weights.push_back(std::exp(score / std::sqrt(channels)));
      total += weights.back();
    }
    for (int c = head * channels; c < (head + 1) * channels; ++c) {
      double sum = y[v * width() + c] + bias[c];
      for (int k = begin; k < end; ++k) {
        int const id = edges.by_destination.edge_ids[k];
        double const kept = mask(attention_stream, random_owner::edge, id, head, attention_dropout);
        sum += kept * weights[k - begin] / total * values[edges.by_destination.neighbors[k] * width() + c];
      }
      if (is_hidden) {
        sum = sum > 0 ? sum : std::exp(sum) - 1;
        sum *= mask(result_stream, random_owner::row, v, c, dropout);
      }
      y[v * width() + c] = sum;
    }
  }
};

matrix<double, host_space> host_copy(testing::host_context const& context, int rows, int cols, row const& elements) {
  return testing::make_host_matrix<double>(context, rows, cols, elements);
}

// Runs a layer on the operands of a formula and compares all it gives.
template <class Layer, class Program>
void check_layer(formula const& expected, Program const& program) {
  testing::host_context const context;
  testing::random_stream random("gt layer gradient");
  int const n = expected.edges.num_sources;
  int const features = expected.features, heads = expected.heads, channels = expected.channels,
            width = expected.width();
  auto const undefined = [&](int rows, int cols) { return host_copy(context, rows, cols, row(rows * cols, NAN)); };
  auto x = host_copy(context, n, features, expected.x);
  auto weight = host_copy(context, features, 4 * width, expected.weight);
  auto query_bias = host_copy(context, heads, channels, expected.query_bias);
  auto bias = host_copy(context, 1, width, expected.bias);
  auto dy = testing::random_host_matrix<double>(context, random, n, width);
  auto y = undefined(n, width), inferred = undefined(n, width), dx = undefined(n, features);
  auto dweight = undefined(features, 4 * width), dquery_bias = undefined(heads, channels), dbias = undefined(1, width);

  graph_type const graph(context, expected.edges.csr(), expected.edges.csc());
  Layer layer(context, graph, program, {weight.view(), query_bias.view(), bias.view()},
              {.attention = random_numbers(&testing::mask_state, attention_stream),
               .result = random_numbers(&testing::mask_state, result_stream)});
  layer.infer(context, x.view(), inferred.view());
  layer.forward(context, x.view(), y.view());
  layer.backward(context, x.view(), dy.view(), {dweight.view(), dquery_bias.view(), dbias.view()});
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
  check_gradient(elements_of(dquery_bias.view()), expected, &formula::query_bias, cotangent);
  check_gradient(elements_of(dbias.view()), expected, &formula::bias, cotangent);
}

formula random_formula(testing::test_graph const& edges, int heads, int channels, bool is_hidden) {
  testing::random_stream random("gt layer");
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
          .weight = draw(features * 4 * width),
          .query_bias = draw(width),
          .bias = draw(width)};
}

TEST_CASE("a graph transformer layer is its formula, forward and backward, on every graph") {
  for (auto const& edges : testing::small_battery()) {
    if (!edges.is_square()) continue;
    for (auto const& [heads, channels] : {std::pair{1, 1}, {1, 7}, {3, 2}, {2, 8}}) {
      INFO(edges.name << ", " << heads << " heads of " << channels);
      check_layer<sum_layer>(random_formula(edges, heads, channels, false), gt_sum(channels, 0.4));
      check_layer<hidden_layer>(random_formula(edges, heads, channels, true), gt_hidden(channels, 0.4, 0.5));
    }
  }
}

TEST_CASE("a graph transformer layer names operands of another shape") {
  testing::host_context const context;
  auto const edges = testing::chain(5);
  graph_type const graph(context, edges.csr(), edges.csc());
  auto const make = [&](int rows, int cols) { return host_copy(context, rows, cols, row(rows * cols)); };
  auto weight = make(4, 24), query_bias = make(2, 3), bias = make(1, 6);
  auto unpacked_weight = make(4, 6), turned = make(3, 2), narrow_bias = make(1, 3);
  auto const layer_of = [&](auto& w, auto& b) {
    return sum_layer(context, graph, gt_sum(3, 0.0), {w.view(), query_bias.view(), b.view()});
  };
  CHECK_THROWS_WITH(layer_of(unpacked_weight, bias), "gt_layer: weight is [4, 6], expected [4, 24]");
  CHECK_THROWS_WITH(layer_of(weight, narrow_bias), "gt_layer: bias is [1, 3], expected [1, 6]");

  sum_layer layer = layer_of(weight, bias);
  auto x = make(5, 4), narrow = make(5, 3), y = make(5, 6);
  CHECK_THROWS_AS(layer.forward(context, narrow.view(), y.view()), invalid_argument);
  CHECK_THROWS_WITH(layer.forward(context, x.view(), narrow.view()), "gt_layer: y is [5, 3], expected [5, 6]");
  CHECK_THROWS_WITH(layer.infer(context, x.view(), narrow.view()), "gt_layer: y is [5, 3], expected [5, 6]");
  layer.forward(context, x.view(), y.view());
  CHECK_THROWS_WITH(layer.backward(context, x.view(), narrow.view(), {weight.view(), query_bias.view(), bias.view()}),
                    "gt_layer: dy is [5, 3], expected [5, 6]");
  CHECK_THROWS_WITH(layer.backward(context, x.view(), y.view(), {weight.view(), turned.view(), bias.view()}),
                    "gt_layer: gradient of query_bias is [3, 2], expected [2, 3]");
  CHECK_THROWS_AS(gt_sum(3, 1.0), invalid_argument);
  CHECK_THROWS_AS(gt_hidden(3, 0.5, -0.1), invalid_argument);
}

}  // namespace
}  // namespace edgewise::models
