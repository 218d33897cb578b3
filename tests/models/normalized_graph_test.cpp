#include "models/normalized_graph.hpp"

#include <cmath>
#include <vector>

#include "support/catch.hpp"

#include "host_matrix.hpp"
#include "support/graphs.hpp"

namespace edgewise::models {
namespace {

using graph_type = normalized_graph<double, testing::host_context>;

TEST_CASE("degree factors count the self loop on each side") {
  testing::host_context const context;
  // 0 -> 1, 0 -> 2, 1 -> 2; vertex 3 is alone.
  auto const edges = testing::make_test_graph("fan", 4, 4, {{0, 1}, {0, 2}, {1, 2}});
  graph_type const graph(context, edges.csr(), edges.csc());
  REQUIRE(graph.num_vertices() == 4);
  double const in_degree[] = {0, 1, 2, 0};
  double const out_degree[] = {2, 1, 0, 0};
  for (int v = 0; v < 4; ++v) {
    CHECK(graph.destination_factor()[v] == Approx(1 / std::sqrt(1 + in_degree[v])));
    CHECK(graph.source_factor()[v] == Approx(1 / std::sqrt(1 + out_degree[v])));
  }
  CHECK(graph.view().first.num_edges == 3);
  CHECK(graph.view().first.neighbors != edges.csr().neighbors);  // a copy
}

TEST_CASE("a graph without vertices is a graph") {
  testing::host_context const context;
  graph_type const graph(context, csr_view<>{}, csc_view<>{});
  CHECK(graph.num_vertices() == 0);
  CHECK(graph.view().second.offsets[0] == 0);
}

TEST_CASE("a graph that is not square, or two different ones, are refused") {
  testing::host_context const context;
  auto const wide = testing::bipartite(3, 2, 1.0);
  CHECK_THROWS_WITH(graph_type(context, wide.csr(), wide.csc()),
                    Catch::Contains("the graph has 3 sources and 2 destinations"));
  auto const chain = testing::chain(5);
  auto const longer = testing::chain(6);
  CHECK_THROWS_WITH(graph_type(context, chain.csr(), longer.csc()),
                    "square_graph: csr has 5 rows and 4 edges, csc has 6 rows and 5: not the same graph");
}

}  // namespace
}  // namespace edgewise::models
