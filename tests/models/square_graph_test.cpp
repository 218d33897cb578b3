#include "models/square_graph.hpp"

#include <vector>

#include "support/catch.hpp"

#include "host_matrix.hpp"
#include "support/graphs.hpp"

namespace edgewise::models {
namespace {

using graph_type = square_graph<testing::host_context>;

TEST_CASE("a model's graph is a copy of both groupings with their edge ids") {
  testing::host_context const context;
  auto const edges = testing::multi_edges();
  graph_type const graph(context, edges.csr(), edges.csc());
  CHECK(graph.num_vertices() == 4);
  auto const check_copy = [](grouping_view<> const& copy, testing::adjacency<> const& original) {
    REQUIRE(copy.num_rows == original.num_rows());
    REQUIRE(copy.num_edges == static_cast<int>(original.neighbors.size()));
    CHECK(copy.neighbors != original.neighbors.data());
    for (int r = 0; r <= copy.num_rows; ++r) CHECK(copy.offsets[r] == original.offsets[r]);
    for (int k = 0; k < copy.num_edges; ++k) {
      CHECK(copy.neighbors[k] == original.neighbors[k]);
      CHECK(copy.edge_id(k) == original.edge_ids[k]);
    }
  };
  check_copy(graph.view().first, edges.by_destination);
  check_copy(graph.view().second, edges.by_source);
}

TEST_CASE("ids that are positions take no memory") {
  testing::host_context const context;
  auto const chain = testing::chain(5);
  REQUIRE(chain.csr().edge_ids == nullptr);
  CHECK(graph_type(context, chain.csr(), chain.csc()).view().first.edge_ids == nullptr);
}

TEST_CASE("a model's graph may be without vertices") {
  testing::host_context const context;
  graph_type const graph(context, csr_view<>{}, csc_view<>{});
  CHECK(graph.num_vertices() == 0);
  CHECK(graph.view().second.offsets[0] == 0);
}

TEST_CASE("a model's graph is square and one graph") {
  testing::host_context const context;
  auto const wide = testing::bipartite(3, 2, 1.0);
  CHECK_THROWS_WITH(graph_type(context, wide.csr(), wide.csc()),
                    "square_graph: the graph has 3 sources and 2 destinations: a model needs one set of vertices");
  auto const chain = testing::chain(5);
  auto const longer = testing::chain(6);
  CHECK_THROWS_WITH(graph_type(context, chain.csr(), longer.csc()),
                    "square_graph: csr has 5 rows and 4 edges, csc has 6 rows and 5: not the same graph");
}

}  // namespace
}  // namespace edgewise::models
