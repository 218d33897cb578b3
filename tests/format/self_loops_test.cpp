#include <edgewise/format/self_loops.hpp>

#include <algorithm>
#include <vector>

#include "support/catch.hpp"

#include <edgewise/format/make.hpp>

#include "edges.hpp"
#include "message.hpp"

namespace edgewise {
namespace {

using testing::edge;
using testing::edges_by_id;

std::vector<int> loops_per_vertex(coo<> const& edges) {
  std::vector<int> loops(static_cast<std::size_t>(edges.num_sources()));
  for_each_edge(edges.view(), [&](int, int source, int destination) { loops[source] += source == destination; });
  return loops;
}

TEST_CASE("self loops are added and dropped as the policy says") {
  for (auto const& graph : testing::battery()) {
    if (!graph.is_square()) continue;
    CAPTURE(graph.name);
    auto const before = testing::edges_of(graph);
    std::vector<int> loops(static_cast<std::size_t>(graph.num_sources));
    for (int k = 0; k < graph.num_edges(); ++k) loops[graph.sources[k]] += graph.sources[k] == graph.destinations[k];

    auto const all = with_self_loops(cpu{}, graph.coo(), self_loops::add_to_all);
    auto const missing = add_self_loops(cpu{}, graph.coo());
    auto const dropped = remove_self_loops(cpu{}, graph.coo());
    validate(all);
    validate(missing);
    validate(dropped);
    auto const loops_of_all = loops_per_vertex(all);
    auto const loops_of_missing = loops_per_vertex(missing);
    for (std::size_t v = 0; v < loops.size(); ++v) {
      CHECK(loops_of_all[v] == loops[v] + 1);
      CHECK(loops_of_missing[v] == std::max(loops[v], 1));
    }
    // Edges that were there keep position and id.
    auto kept = edges_by_id(missing.view());
    kept.resize(before.size());
    CHECK(kept == before);
    // What is left after dropping are the other edges, in their order.
    std::vector<edge> others;
    for (auto [source, destination, id] : before) {
      if (source != destination) others.emplace_back(source, destination, static_cast<std::int64_t>(others.size()));
    }
    CHECK(edges_by_id(dropped.view()) == others);
  }
}

TEST_CASE("ids that are not positions stay a permutation and keep their order") {
  std::vector<int> const sources{0, 1, 1, 0};
  std::vector<int> const destinations{1, 1, 0, 0};
  std::vector<int> const ids{3, 1, 0, 2};
  auto const edges = make_coo(vertices(2), sources, destinations, ids);
  auto const dropped = remove_self_loops(cpu{}, edges);
  validate(dropped);
  CHECK(edges_by_id(dropped.view()) == std::vector<edge>{{1, 0, 0}, {0, 1, 1}});  // ids 0 and 3
  auto const added = add_self_loops(cpu{}, edges, self_loops::add_to_all);
  validate(added);
  CHECK(edges_by_id(added.view()) ==
        std::vector<edge>{{1, 0, 0}, {1, 1, 1}, {0, 0, 2}, {0, 1, 3}, {0, 0, 4}, {1, 1, 5}});
}

TEST_CASE("self loops need the same vertices on both sides") {
  auto const graph = testing::bipartite(37, 53, 0.2);
  CHECK(testing::message_of<invalid_argument>([&] { add_self_loops(cpu{}, graph.coo()); }) ==
        "with_self_loops: the graph has 37 sources and 53 destinations, must have the same vertices on both sides");
  CHECK_THROWS_AS(add_self_loops(cpu{}, testing::self_loop().coo(), self_loops::drop), invalid_argument);
}

}  // namespace
}  // namespace edgewise
