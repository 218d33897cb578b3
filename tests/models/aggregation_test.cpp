#include "models/aggregation.hpp"

#include <cmath>
#include <vector>

#include <catch2/catch.hpp>

#include "host_matrix.hpp"
#include "support/graphs.hpp"

namespace edgewise::models {
namespace {

using graph_type = normalized_graph<double, testing::host_context>;
using aggregation_type = aggregation<double, testing::host_context>;

// The normalised adjacency with self loops as a dense matrix: row v, column u.
std::vector<double> dense_adjacency(testing::test_graph const& graph) {
  int const n = graph.num_sources;
  std::vector<double> adjacency(n * n), in_degree(n, 1.0), out_degree(n, 1.0);
  for (int k = 0; k < graph.num_edges(); ++k) {
    ++in_degree[graph.destinations[k]];
    ++out_degree[graph.sources[k]];
  }
  for (int v = 0; v < n; ++v) adjacency[v * n + v] += 1 / std::sqrt(in_degree[v] * out_degree[v]);
  for (int k = 0; k < graph.num_edges(); ++k) {
    int const v = graph.destinations[k];
    int const u = graph.sources[k];
    adjacency[v * n + u] += 1 / std::sqrt(in_degree[v] * out_degree[u]);
  }
  return adjacency;
}

TEST_CASE("aggregation multiplies by the normalised adjacency, backward by its transpose") {
  testing::host_context const context;
  testing::random_stream random("aggregation");
  for (auto const& edges : testing::small_battery()) {
    if (!edges.is_square()) continue;
    INFO(edges.name);
    int const n = edges.num_sources;
    auto const adjacency = dense_adjacency(edges);
    graph_type const graph(context, edges.csr(), edges.csc());
    for (int width : {1, 3}) {
      aggregation_type const aggregate(context, graph, width);
      auto const x = testing::random_host_matrix<double>(context, random, n, width);
      auto y = testing::make_host_matrix<double>(context, n, width, std::vector<double>(n * width, NAN));
      auto dx = testing::make_host_matrix<double>(context, n, width, std::vector<double>(n * width, NAN));
      aggregate.forward(context, x.view(), y.view());
      aggregate.backward(context, x.view(), dx.view());
      for (int row = 0; row < n; ++row) {
        for (int lane = 0; lane < width; ++lane) {
          double forward = 0, backward = 0;
          for (int other = 0; other < n; ++other) {
            forward += adjacency[row * n + other] * x.view().data[other * width + lane];
            backward += adjacency[other * n + row] * x.view().data[other * width + lane];
          }
          CHECK(y.view().data[row * width + lane] == Approx(forward).epsilon(1e-12).margin(1e-12));
          CHECK(dx.view().data[row * width + lane] == Approx(backward).epsilon(1e-12).margin(1e-12));
        }
      }
    }
  }
}

TEST_CASE("aggregation names operands of another shape") {
  testing::host_context const context;
  auto const edges = testing::chain(5);
  graph_type const graph(context, edges.csr(), edges.csc());
  aggregation_type const aggregate(context, graph, 3);
  auto good = testing::make_host_matrix<double>(context, 5, 3, std::vector<double>(15));
  auto bad = testing::make_host_matrix<double>(context, 5, 2, std::vector<double>(10));
  CHECK_THROWS_WITH(aggregate.forward(context, bad.view(), good.view()), "aggregation: x is [5, 2], expected [5, 3]");
  CHECK_THROWS_WITH(aggregate.forward(context, good.view(), bad.view()), "aggregation: y is [5, 2], expected [5, 3]");
  CHECK_THROWS_WITH(aggregate.backward(context, good.view(), bad.view()), "aggregation: dx is [5, 2], expected [5, 3]");
}

}  // namespace
}  // namespace edgewise::models
