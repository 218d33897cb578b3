// Applying orders of vertices and undoing them.
#include <edgewise/format/reorder.hpp>

#include <vector>

#include "support/catch.hpp"

#include <edgewise/edgewise.hpp>

#include "order_laws.hpp"

using namespace edgewise;
using namespace edgewise::testing;

namespace {

/// The last vertex first.
struct backwards {
  template <class Index>
  std::vector<Index> vertices_in_order(undirected_graph<Index> const& graph) const {
    std::vector<Index> order;
    for (Index v = graph.num_vertices(); v-- > 0;) order.push_back(v);
    return order;
  }
};

}  // namespace

TEST_CASE("reorder: laws of a user's order on the battery", "[format]") {
  for (auto const& graph : battery()) {
    if (graph.is_square()) check_order_laws(graph, backwards{});
  }
}

TEST_CASE("reorder: edges without directions", "[format]") {
  std::vector<int> const sources{0, 1, 2, 2}, destinations{1, 0, 2, 1};
  auto const edges = make_coo(vertices(4), sources, destinations);
  struct keep {
    undirected_graph<int>* seen;
    std::vector<int> vertices_in_order(undirected_graph<int> const& graph) const {
      *seen = graph;
      return {0, 1, 2, 3};
    }
  };
  undirected_graph<int> seen;
  find_order(cpu{}, edges, keep{&seen});
  CHECK(seen.offsets == std::vector<std::int64_t>{0, 2, 5, 7, 7});  // the self loop once
  CHECK(seen.neighbors == std::vector<int>{1, 1, 0, 0, 2, 2, 1});
}

TEST_CASE("reorder: ids that are written out stay", "[format]") {
  std::vector<int> const sources{2, 0, 1}, destinations{0, 1, 2}, ids{2, 0, 1};
  coo<> const edges({.sources = 3, .destinations = 3}, copy_of<int>(sources), copy_of<int>(destinations),
                    copy_of<int>(ids));
  auto const order = make_vertex_order<int>(cpu{}, {1, 2, 0});
  coo<> const moved = reorder(cpu{}, edges, order);
  CHECK(values(moved.edge_ids().data(), 3) == ids);
  CHECK(values(moved.sources().data(), 3) == std::vector<int>{1, 2, 0});
  CHECK(values(moved.destinations().data(), 3) == std::vector<int>{2, 0, 1});
}

TEST_CASE("reorder: rows of every kind, packed ones too", "[format]") {
  auto const order = make_vertex_order<int>(cpu{}, {2, 0, 1});
  std::vector<float> const heads{0, 1, 10, 11, 20, 21};
  std::vector<float> moved(6), back(6);
  permute_rows(cpu{}, order, per_head(heads.data(), 3, 2), per_head(moved.data(), 3, 2));
  CHECK(moved == std::vector<float>{20, 21, 0, 1, 10, 11});
  restore_rows(cpu{}, order, per_head(moved.data(), 3, 2), per_head(back.data(), 3, 2));
  CHECK(back == heads);
  std::vector<double> packed{0, 1, -1, 10, 11, -1, 20, 21, -1}, narrow(6);  // rows 3 elements apart
  permute_rows(cpu{}, order, wide(packed.data(), 3, 1, 2, 3), wide(narrow.data(), 3, 2));
  CHECK(narrow == std::vector<double>{20, 21, 0, 1, 10, 11});
  std::vector<float> const scalars{5, 6, 7};
  std::vector<float> two(2), three(3);
  permute_rows(cpu{}, order, per_row(scalars.data(), 3), per_row(three.data(), 3));
  CHECK(three == std::vector<float>{7, 5, 6});
  CHECK_THROWS_WITH(permute_rows(cpu{}, order, per_row(scalars.data(), 3), per_row(two.data(), 2)),
                    "permute_rows: the order has 3 vertices, the views have 3 and 2 rows of 1 and 1 elements");
}

TEST_CASE("reorder: what is no order of these vertices is refused", "[format]") {
  CHECK_THROWS_WITH(make_vertex_order<int>(cpu{}, {0, 2, 2}), "vertex order: vertex 2 comes twice");
  CHECK_THROWS_WITH(make_vertex_order<int>(cpu{}, {0, 3, 1}), "vertex order: vertex 3 at position 1 is not in [0, 3)");
  CHECK_THROWS_AS(make_vertex_order<int>(cpu{}, {0, -1}), invalid_argument);
  auto const graph = bipartite(3, 4, 0.5);
  CHECK_THROWS_WITH(
      find_order(cpu{}, graph.csr(), backwards{}),
      "find_order: the graph has 3 sources and 4 destinations; one order needs the same vertices on both sides");
  auto const order = make_vertex_order<int>(cpu{}, {0, 1, 2});
  CHECK_THROWS_WITH(
      reorder(cpu{}, graph.csr(), order),
      "reorder: the graph has 3 sources and 4 destinations; one order needs the same vertices on both sides");
  CHECK_THROWS_WITH(reorder(cpu{}, no_edges(5).csr(), order), "reorder: the order has 3 vertices, the graph has 5");
}
