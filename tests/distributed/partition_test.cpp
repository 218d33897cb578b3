// Owners of vertices, and the parts that they make.
#include <edgewise/distributed/make_part.hpp>
#include <edgewise/distributed/partition.hpp>

#include <numeric>

#include "support/catch.hpp"

#include "distributed/check_part.hpp"
#include "support/graphs.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEST_CASE("partition: ranges of about equal numbers of rows and edges", "[distributed]") {
  auto const graph = random_skewed(500, 4000);
  auto const owners = partition(graph.csr(), 4, by_edges{});
  CHECK(owners.shares_vertices);
  std::vector<std::int64_t> weight(4, 0);
  for (int v = 0; v < 500; ++v) {
    weight[static_cast<std::size_t>(owners.destinations.owner_of(v))] += 1 + graph.by_destination.degree(v);
    if (v > 0) CHECK(owners.destinations.owner_of(v) >= owners.destinations.owner_of(v - 1));
  }
  for (auto const w : weight) {
    CHECK(w >= 4500 / 4 - graph.max_degree() - 1);
    CHECK(w <= 4500 / 4 + graph.max_degree() + 1);
  }
  CHECK(partition(bipartite(30, 11, 0.2).csr(), 3, by_edges{}).counts() ==
        vertex_counts{.sources = 30, .destinations = 11});
}

TEST_CASE("partition: owners and positions", "[distributed]") {
  std::vector<std::int32_t> const owners{1, 0, 2, 1, 1};
  auto const list = vertex_owners::of_list(owners, 4);
  CHECK(list.num_ranks() == 4);
  CHECK(list.size_of(1) == 3);
  CHECK(list.size_of(3) == 0);
  CHECK(list.position_of(4) == 2);
  CHECK(list.vertices_of(1) == std::vector<std::int64_t>{0, 3, 4});
  auto const ranges = vertex_owners::of_ranges({0, 3, 3, 8});
  CHECK(ranges.num_ranks() == 3);
  CHECK(ranges.num_vertices() == 8);
  CHECK(ranges.owner_of(2) == 0);
  CHECK(ranges.owner_of(3) == 2);
  CHECK(ranges.position_of(7) == 4);
  CHECK(ranges.vertices_of(1).empty());
}

TEST_CASE("partition: every rank's part has its rows, whatever the owners", "[distributed]") {
  auto graphs = battery();
  graphs.push_back(make_test_graph("few edges of many vertices", 400, 400,
                                   {{399, 0}, {0, 399}, {200, 0}, {200, 1}, {399, 1}, {7, 300}, {7, 300}, {0, 0}}));
  for (auto const& graph : graphs) {
    for (int const ranks : {1, 2, 3, 7}) {
      INFO(graph.name << ", " << ranks << " ranks");
      check_parts(graph, partition(graph.csr(), ranks, by_edges{}));
      std::vector<std::int32_t> destinations, sources;
      for (int v = 0; v < graph.num_destinations; ++v) destinations.push_back(v * 5 % ranks);
      for (int u = 0; u < graph.num_sources; ++u) sources.push_back(u / 2 % ranks);
      check_parts(graph, partition(graph.csr(), ranks, by_owner{destinations, sources}));
      if (graph.is_square()) check_parts(graph, partition(graph.coo(), ranks, by_owner{destinations}));
    }
  }
}

TEST_CASE("partition: what it refuses", "[distributed]") {
  auto const graph = directed();
  std::vector<std::int32_t> owners(50, 0);
  CHECK_THROWS_WITH(partition(graph.csr(), 0, by_edges{}), "partition: is for 0 ranks, must be for at least 1");
  owners[7] = 3;
  CHECK_THROWS_WITH(partition(graph.csr(), 3, by_owner{owners}), "vertex_owners: vertex 7 belongs to rank 3 of 3");
  owners.resize(49);
  CHECK_THROWS_WITH(partition(graph.csr(), 3, by_owner{owners}),
                    "partition: owners of 49 destinations are given, the graph has 50");
  CHECK_THROWS_WITH(vertex_owners::of_ranges({0, 4, 3}),
                    "vertex_owners: the range of rank 1 ends at 3, before it begins at 4");
  CHECK_THROWS_WITH(vertex_owners::of_ranges({1, 4}), Catch::Contains("of which the first is 0"));
  auto const of_other = partition(chain(10).csr(), 2, by_edges{});
  CHECK_THROWS_WITH(make_part(cpu{}, graph.csr(), of_other, 0),
                    "make_part: owners of 10 sources and 10 destinations are given, the graph has 50 and 50");
  CHECK_THROWS_WITH(make_part(cpu{}, graph.csr(), partition(graph.csr(), 2, by_edges{}), 2),
                    "make_part: is of rank 2, there are 2 ranks");
  auto const apart = ownership{vertex_owners::of_ranges({0, 20, 30, 50}), vertex_owners::of_ranges({0, 20, 50}), false};
  CHECK_THROWS_WITH(make_part(cpu{}, graph.csr(), apart, 0),
                    "make_part: destinations are owned by 3 ranks, sources by 2");
  // positions among a rank's vertices are counted in 32 bits
  auto const far = vertex_owners::of_ranges({0, 10, std::int64_t{1} << 32});
  edgewise::detail::part_edge const edge{};
  auto const builder = [&] { edgewise::detail::part_builder<std::int64_t, std::int64_t>(cpu{}, {far}, 0, 1, {edge}); };
  CHECK_THROWS_WITH(builder(), Catch::Contains("vertices of a rank = 4294967286"));
}
