#include "models/gcn_layer.hpp"

#include <cmath>
#include <vector>

#include "support/catch.hpp"

#include "host_matrix.hpp"
#include "support/graphs.hpp"
#include "support/mask.hpp"

namespace edgewise::models {
namespace {

using graph_type = normalized_graph<double, testing::host_context>;
using sum_layer = gcn_layer<double, testing::host_context, gcn_sum_program>;
using hidden_layer = gcn_layer<double, testing::host_context, gcn_hidden_program>;

// A dense row-major matrix: the layer's formula written out, sharing no code with it.
struct dense {
  int rows, cols;
  std::vector<double> elements;

  dense(int rows_, int cols_) : rows(rows_), cols(cols_), elements(static_cast<std::size_t>(rows_ * cols_)) {}
  explicit dense(matrix_view<double, host_space> x) : dense(static_cast<int>(x.rows), static_cast<int>(x.cols)) {
    elements = testing::elements_of(x);
  }
  double& operator()(int row, int col) { return elements[static_cast<std::size_t>(row * cols + col)]; }
  double operator()(int row, int col) const { return elements[static_cast<std::size_t>(row * cols + col)]; }

  dense transposed() const {
    dense result(cols, rows);
    for (int row = 0; row < rows; ++row) {
      for (int col = 0; col < cols; ++col) result(col, row) = (*this)(row, col);
    }
    return result;
  }
};

dense operator*(dense const& a, dense const& b) {
  dense product(a.rows, b.cols);
  for (int row = 0; row < a.rows; ++row) {
    for (int col = 0; col < b.cols; ++col) {
      for (int k = 0; k < a.cols; ++k) product(row, col) += a(row, k) * b(k, col);
    }
  }
  return product;
}

// The normalised adjacency with self loops: row v, column u.
dense normalized_adjacency(testing::test_graph const& graph) {
  int const n = graph.num_sources;
  dense adjacency(n, n);
  std::vector<double> in_degree(n, 1.0), out_degree(n, 1.0);
  for (int k = 0; k < graph.num_edges(); ++k) {
    ++in_degree[graph.destinations[k]];
    ++out_degree[graph.sources[k]];
  }
  auto const add = [&](int v, int u) { adjacency(v, u) += 1 / std::sqrt(in_degree[v] * out_degree[u]); };
  for (int v = 0; v < n; ++v) add(v, v);
  for (int k = 0; k < graph.num_edges(); ++k) add(graph.destinations[k], graph.sources[k]);
  return adjacency;
}

void check_equal(matrix_view<double, host_space> actual, dense const& expected) {
  REQUIRE(actual.size() == static_cast<std::int64_t>(expected.elements.size()));
  for (std::int64_t i = 0; i < actual.size(); ++i) {
    CHECK(actual.data[i] == Approx(expected.elements[i]).epsilon(1e-12).margin(1e-12));
  }
}

constexpr random_state mask_state{123, 9};
constexpr int mask_stream = 6;

// What dropout of half the elements multiplies one of a row by.
double mask(int row, int col) {
  return testing::mask_factor(mask_state, mask_stream, random_owner::row, static_cast<std::uint64_t>(row), col, 0.5);
}

// Runs a layer on random operands and compares all it gives with the dense formula: the hidden layer rectifies, then
// drops half the elements.
template <class Layer, class Program>
void check_layer(testing::test_graph const& edges, Program const& program, bool is_hidden, int width) {
  testing::host_context const context;
  testing::random_stream random("gcn layer");
  int const n = edges.num_sources;
  int const num_features = 4;
  auto const make = [&](int rows, int cols) {
    return testing::random_host_matrix<double>(context, random, rows, cols);
  };
  auto const undefined = [&](int rows, int cols) {
    return testing::make_host_matrix<double>(context, rows, cols, std::vector<double>(rows * cols, NAN));
  };
  auto x = make(n, num_features), weight = make(num_features, width), bias = make(1, width), dy = make(n, width);
  auto y = undefined(n, width), inferred = undefined(n, width), dx = undefined(n, num_features);
  auto dweight = undefined(num_features, width), dbias = undefined(1, width);

  graph_type const graph(context, edges.csr(), edges.csc());
  Layer layer(context, graph, program, {weight.view(), bias.view()},
              {.result = random_numbers(&mask_state, mask_stream)});
  layer.infer(context, x.view(), inferred.view());
  layer.forward(context, x.view(), y.view());
  layer.backward(context, x.view(), dy.view(), {dweight.view(), dbias.view()});
  layer.input_gradient(context, dx.view());

  dense const adjacency = normalized_adjacency(edges);
  dense result = adjacency * (dense(x.view()) * dense(weight.view()));
  dense undropped = result;
  dense gradient(dy.view());
  dense bias_gradient(1, width);
  for (int row = 0; row < n; ++row) {
    for (int col = 0; col < width; ++col) {
      result(row, col) += bias.view().data[col];
      if (is_hidden && result(row, col) <= 0) result(row, col) = gradient(row, col) = 0;
      undropped(row, col) = result(row, col);
      if (is_hidden) result(row, col) *= mask(row, col);
      if (is_hidden) gradient(row, col) *= mask(row, col);
      bias_gradient(0, col) += gradient(row, col);
    }
  }
  dense const product_gradient = adjacency.transposed() * gradient;
  check_equal(y.view(), result);
  check_equal(inferred.view(), undropped);
  check_equal(dweight.view(), dense(x.view()).transposed() * product_gradient);
  check_equal(dbias.view(), bias_gradient);
  check_equal(dx.view(), product_gradient * dense(weight.view()).transposed());
}

TEST_CASE("a GCN layer is its dense formula, forward and backward, on every graph") {
  for (auto const& edges : testing::small_battery()) {
    if (!edges.is_square()) continue;
    for (int width : {1, 3, 17}) {
      INFO(edges.name << ", width " << width);
      check_layer<sum_layer>(edges, gcn_sum, false, width);
      check_layer<hidden_layer>(edges, gcn_hidden(0.5), true, width);
    }
  }
}

TEST_CASE("a GCN layer names operands of another shape") {
  testing::host_context const context;
  auto const edges = testing::chain(5);
  graph_type const graph(context, edges.csr(), edges.csc());
  auto make = [&](int rows, int cols) {
    return testing::make_host_matrix<double>(context, rows, cols, std::vector<double>(rows * cols));
  };
  auto weight = make(4, 3), bias = make(1, 3), wrong_bias = make(1, 2);
  auto const layer_of = [&](auto& b) { return sum_layer(context, graph, gcn_sum, {weight.view(), b.view()}); };
  CHECK_THROWS_WITH(layer_of(wrong_bias), "gcn_layer: bias is [1, 2], expected [1, 3]");
  sum_layer layer = layer_of(bias);
  auto x = make(5, 4), narrow = make(5, 2), y = make(5, 3), dweight = make(4, 3), dbias = make(1, 3);
  CHECK_THROWS_AS(layer.forward(context, narrow.view(), y.view()), invalid_argument);
  CHECK_THROWS_WITH(layer.forward(context, x.view(), narrow.view()), "gcn_layer: y is [5, 2], expected [5, 3]");
  layer.forward(context, x.view(), y.view());
  CHECK_THROWS_WITH(layer.backward(context, x.view(), narrow.view(), {dweight.view(), dbias.view()}),
                    "gcn_layer: dy is [5, 2], expected [5, 3]");
  CHECK_THROWS_WITH(layer.backward(context, x.view(), y.view(), {dweight.view(), wrong_bias.view()}),
                    "gcn_layer: gradient of bias is [1, 2], expected [1, 3]");
}

}  // namespace
}  // namespace edgewise::models
