// METIS' order: parts with few edges between them.
#include <edgewise/vendor/metis.hpp>

#include <vector>

#include "support/catch.hpp"

#include <edgewise/distributed/partition.hpp>

#include "distributed/check_part.hpp"
#include "format/order_laws.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEST_CASE("metis: laws on the battery", "[format]") {
  for (auto const& graph : battery()) {
    if (!graph.is_square()) continue;
    check_order_laws(graph, metis{.parts = 4});
    check_order_laws(graph, metis{.parts = 1});
  }
}

TEST_CASE("metis: communities come one after the other", "[format]") {
  // 8 communities of 50 whose members are 8 apart: 20 edges per vertex inside, one to anywhere
  constexpr int communities = 8, members = 50, n = communities * members;
  random_stream random("metis: communities");
  std::vector<int> sources, destinations;
  for (int v = 0; v < n; ++v) {
    for (int k = 0; k < 20; ++k) {
      sources.push_back(v % communities + communities * random.below(members));
      destinations.push_back(v);
    }
    sources.push_back(random.below(n));
    destinations.push_back(v);
  }
  coo<> const edges = make_coo(vertices(n), sources, destinations);
  auto const share_nearby = [](coo<> const& g) {
    int nearby = 0;
    for_each_edge(g.view(),
                  [&](auto, int source, int destination) { nearby += source / members == destination / members; });
    return static_cast<double>(nearby) / g.num_edges();
  };
  REQUIRE(share_nearby(edges) < 0.3);
  auto const order = find_order(cpu{}, edges, metis{.parts = communities});
  CHECK(share_nearby(reorder(cpu{}, edges, order)) > 0.8);
  auto const again = find_order(cpu{}, edges, metis{.parts = communities});
  CHECK(values(again.old_of_new.data(), n) == values(order.old_of_new.data(), n));
}

TEST_CASE("metis: owners make parts of about equal size that read few rows of others", "[distributed]") {
  for (auto const& graph : battery()) {
    for (int const ranks : {1, 3}) check_parts(graph, partition(graph.csr(), ranks, metis{}));
  }
  // 4 x 200 vertices in rings, numbered in turn
  edge_list edges;
  for (int v = 0; v < 800; ++v) {
    for (int step : {4, 8, 12}) edges.push_back({(v + step) % 800, v});
  }
  auto const rings = make_test_graph("rings", 800, 800, edges);
  auto const halo_rows = [&](ownership const& owners) {
    std::int64_t rows = 0;
    for (int r = 0; r < 4; ++r) rows += make_part(cpu{}, rings.csr(), owners, r).num_halo_rows();
    return rows;
  };
  auto const owners = partition(rings.csr(), 4, metis{});
  for (int r = 0; r < 4; ++r) CHECK(std::abs(owners.destinations.size_of(r) - 200) <= 10);
  CHECK(halo_rows(owners) < halo_rows(partition(rings.csr(), 4, by_edges{})));
}
