#include "models/typed_graph.hpp"

#include <vector>

#include "support/catch.hpp"

#include "host_matrix.hpp"
#include "support/graphs.hpp"

namespace edgewise::models {
namespace {

using graph_type = typed_graph<double, testing::host_context>;

TEST_CASE("each edge has one over the number of edges of its type into its destination") {
  testing::host_context const context;
  // By edge id: 1 -> 0 thrice, 2 -> 0, 0 -> 1 twice; the conversion to a csr keeps ids.
  auto const edges = testing::make_test_graph("typed", 3, 3, {{1, 0}, {0, 1}, {1, 0}, {2, 0}, {0, 1}, {1, 0}});
  std::vector<std::int32_t> const types{0, 1, 2, 0, 1, 0};
  graph_type const graph(context, edges.csr(), edges.csc(), types, 4);
  CHECK(graph.num_vertices() == 3);
  CHECK(graph.num_edges() == 6);
  CHECK(graph.num_types() == 4);
  std::vector<double> const expected{1.0 / 3, 0.5, 1, 1.0 / 3, 0.5, 1.0 / 3};
  CHECK(std::vector<double>(graph.edge_weight(), graph.edge_weight() + 6) == expected);
  CHECK(std::vector<double>(graph.self_weight(), graph.self_weight() + 3) == std::vector<double>{1, 1, 1});
  CHECK(graph.view().types.num_types() == 4);
  for (int e = 0; e < 6; ++e) CHECK(graph.view().types.edge_types[e] == types[static_cast<std::size_t>(e)]);
  CHECK(graph.view().first.edge_types == graph.view().types.edge_types);
}

TEST_CASE("a typed graph may be without vertices, and refuses types that there are not") {
  testing::host_context const context;
  graph_type const graph(context, csr_view<>{}, csc_view<>{}, {}, 0);
  CHECK(graph.num_vertices() == 0);
  auto const chain = testing::chain(3);
  std::vector<std::int32_t> const types{0, 2};
  CHECK_THROWS_WITH(graph_type(context, chain.csr(), chain.csc(), types, 2),
                    "typed_edges: types[1] = 2, there are 2 types");
}

}  // namespace
}  // namespace edgewise::models
