// METIS' order: parts with few edges between them.
#include <edgewise/vendor/metis.hpp>

#include <vector>

#include "support/catch.hpp"

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
