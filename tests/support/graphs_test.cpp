#include "graphs.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "support/catch.hpp"

using namespace edgewise::testing;

namespace {

/// Edge k's endpoints as a view tells them; checks that every id occurs once.
template <class View>
std::vector<std::pair<int, int>> edges_of_rows(View const& view) {
  std::vector<std::pair<int, int>> edges(view.num_edges, {-1, -1});
  for (int row = 0; row < view.num_rows; ++row) {
    int last_id = -1;
    for (auto k = view.offsets[row]; k < view.offsets[row + 1]; ++k) {
      auto const id = static_cast<int>(view.edge_id(k));
      REQUIRE(edges.at(id) == std::pair(-1, -1));
      REQUIRE(id > last_id);  // rows list edges by ascending id
      last_id = id;
      edges[id] = {row, view.neighbors[k]};
    }
  }
  return edges;
}

std::set<std::string> names_of_battery() {
  std::set<std::string> names;
  for (auto const& graph : battery()) names.insert(graph.name);
  return names;
}

}  // namespace

TEST_CASE("battery: all groupings hold the same edges", "[support]") {
  CHECK(names_of_battery().size() == battery().size());
  for (auto const& graph : battery()) {
    INFO(graph.name);
    auto const by_destination = edges_of_rows(graph.csr());
    auto const by_source = edges_of_rows(graph.csc());
    auto const coo = graph.coo();
    REQUIRE(coo.num_edges == graph.num_edges());
    for (int k = 0; k < graph.num_edges(); ++k) {
      REQUIRE(by_destination[k] == std::pair(coo.destinations[k], coo.sources[k]));
      REQUIRE(by_source[k] == std::pair(coo.sources[k], coo.destinations[k]));
    }
    CHECK(graph.csr().num_destinations() == graph.num_destinations);
    CHECK(graph.csr().num_sources() == graph.num_sources);
    CHECK(graph.csc().num_destinations() == graph.num_destinations);
    CHECK(graph.csc().num_sources() == graph.num_sources);
    auto const wide = graph.by_destination.with_offsets<long long>();
    CHECK(edges_of_rows(graph.csr_of(wide)) == by_destination);
  }
}

TEST_CASE("battery: holds the shapes that it promises", "[support]") {
  CHECK(no_vertices().num_destinations == 0);
  CHECK(no_vertices().by_destination.offsets == std::vector<int>{0});
  CHECK(no_edges(9).num_edges() == 0);
  CHECK(no_edges(9).by_destination.offsets == std::vector<int>(10, 0));
  CHECK(self_loop().by_destination.neighbors == std::vector<int>{0});
  CHECK(one_hub().max_degree() == 5000);
  CHECK(one_hub().by_destination.degree(150) == 5000);
  CHECK(multi_edges().by_destination.neighbors == std::vector<int>{1, 1, 1, 3, 1, 0, 0, 3, 2, 2, 2, 0});
  CHECK(multi_edges().by_destination.edge_ids == std::vector<int>{0, 2, 4, 6, 9, 1, 7, 11, 3, 5, 10, 8});

  auto const isolated = isolated_vertices();
  CHECK(isolated.by_destination.degree(0) == 0);
  CHECK(isolated.by_destination.degree(80) == 0);
  CHECK(isolated.by_source.degree(0) == 0);
  CHECK(isolated.by_source.degree(80) == 0);
  CHECK(isolated.by_destination.degree(40) > 0);

  std::multiset<int> degrees;
  auto const border = border_degrees();
  for (int v = 0; v < border.num_destinations; ++v) degrees.insert(border.by_destination.degree(v));
  for (int degree : {0, 1, 63, 64, 65, 127, 128, 129, 255, 257}) CHECK(degrees.count(degree) >= 1);

  auto const names = names_of_battery();
  for (char const* name : {"bipartite 37 x 53", "bipartite 1 x 200", "bipartite 200 x 1"})
    CHECK(names.count(name) == 1);
  CHECK(bipartite(200, 1, 0.7).num_destinations == 1);
  CHECK(random_skewed().max_degree() > 20 * random_skewed().num_edges() / random_skewed().num_destinations);
}

TEST_CASE("battery: ids are left out only where they are the positions", "[support]") {
  CHECK(chain().csr().edge_ids == nullptr);
  CHECK(border_degrees().csr().edge_ids == nullptr);
  CHECK(one_hub().csr().edge_ids != nullptr);
  CHECK(multi_edges().csr().edge_ids != nullptr);
}

TEST_CASE("battery: symmetric and directed are what they say", "[support]") {
  auto edge_set = [](test_graph const& graph) {
    std::set<std::pair<int, int>> edges;
    for (int k = 0; k < graph.num_edges(); ++k) edges.insert({graph.sources[k], graph.destinations[k]});
    return edges;
  };
  auto const both_ways = edge_set(symmetric());
  CHECK(static_cast<int>(both_ways.size()) == symmetric().num_edges());
  for (auto [u, v] : both_ways) CHECK(both_ways.count({v, u}) == 1);
  auto const one_way = edge_set(directed());
  CHECK(one_way.size() > 50);
  for (auto [u, v] : one_way) CHECK(one_way.count({v, u}) == 0);
}

TEST_CASE("battery: the small battery is small and not empty", "[support]") {
  auto const graphs = small_battery(400);
  CHECK(graphs.size() >= 8);
  for (auto const& graph : graphs) CHECK(graph.num_edges() <= 400);
}

TEST_CASE("test graph: an edge out of range is named", "[support]") {
  CHECK_THROWS_WITH(make_test_graph("bad", 2, 3, {{0, 0}, {1, 3}}), Catch::Contains("edge 1 is 1 -> 3"));
  CHECK_THROWS_AS(make_test_graph("bad", 2, 3, {{2, 0}}), edgewise::invalid_argument);
}
