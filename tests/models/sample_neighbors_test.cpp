#include "models/sample_neighbors.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support/catch.hpp"

#include "support/graphs.hpp"

namespace edgewise::models {
namespace {

using testing::test_graph;

/// Checks a part against the graph that it is of: every edge is one, none twice, every row has what its hop asks for.
void check_part(test_graph const& graph, sampled_part const& part, std::vector<std::int32_t> const& seeds,
                std::vector<std::int64_t> const& fanouts) {
  auto const edges = graph.csr();
  REQUIRE(part.offsets.size() == part.vertices.size() + 1);
  REQUIRE(part.edge_ids.size() == part.neighbors.size());
  CHECK(std::set<std::int32_t>(part.vertices.begin(), part.vertices.end()).size() == part.vertices.size());
  CHECK(std::equal(seeds.begin(), seeds.end(), part.vertices.begin()));
  CHECK(std::set<std::int32_t>(part.edge_ids.begin(), part.edge_ids.end()).size() == part.edge_ids.size());
  std::size_t hop = 0, end = seeds.size(), met = seeds.size();
  for (std::size_t row = 0; row < part.vertices.size(); ++row) {
    if (row == end) ++hop, end = met;
    auto const v = part.vertices[row];
    std::int64_t const degree = edges.offsets[v + 1] - edges.offsets[v];
    std::int64_t const size = part.offsets[row + 1] - part.offsets[row];
    CHECK(size == (hop < fanouts.size() ? std::min(degree, fanouts[hop]) : 0));
    for (auto k = static_cast<std::size_t>(part.offsets[row]); k < static_cast<std::size_t>(part.offsets[row + 1]);
         ++k) {
      auto const e = static_cast<std::size_t>(part.edge_ids[k]);
      CHECK(graph.destinations[e] == v);
      CHECK(graph.sources[e] == part.vertices[static_cast<std::size_t>(part.neighbors[k])]);
      met = std::max(met, static_cast<std::size_t>(part.neighbors[k]) + 1);
    }
  }
  auto const most = largest_part(edges, static_cast<std::int64_t>(seeds.size()), fanouts);
  CHECK(static_cast<std::int64_t>(part.vertices.size()) <= most.vertices);
  CHECK(static_cast<std::int64_t>(part.neighbors.size()) <= most.edges);
}

TEST_CASE("sampled neighbors: edges of the graph, as many as asked for, the same for the same state") {
  for (auto const& graph : {testing::symmetric(), testing::directed(), testing::multi_edges(), testing::chain(9)}) {
    std::vector<std::int32_t> const seeds{3, 0, 2};
    for (std::vector<std::int64_t> const& fanouts : {std::vector<std::int64_t>{2}, {1000, 1000}, {3, 2, 1}, {}}) {
      INFO(graph.name << ", " << fanouts.size() << " hops");
      auto const part = sample_neighbors(graph.csr(), seeds, fanouts, {7, 4});
      check_part(graph, part, seeds, fanouts);
      auto const again = sample_neighbors(graph.csr(), seeds, fanouts, {7, 4});
      CHECK((again.vertices == part.vertices && again.neighbors == part.neighbors));
    }
  }
  auto const graph = testing::directed();
  std::vector<std::int32_t> const seeds{3, 0, 2, 11, 12, 13, 14, 15};
  std::vector<std::int64_t> const fanouts{1, 1};
  CHECK(sample_neighbors(graph.csr(), seeds, fanouts, {7, 4}).edge_ids !=
        sample_neighbors(graph.csr(), seeds, fanouts, {7, 5}).edge_ids);
  std::vector<std::int32_t> const out_of_range{3, 1000}, repeated{3, 4, 3};
  CHECK_THROWS_WITH(
      sample_neighbors(graph.csr(), out_of_range, fanouts, {}),
      "sample_neighbors: seeds[1] = 1000, but the graph has " + std::to_string(graph.num_destinations) + " vertices");
  CHECK_THROWS_WITH(sample_neighbors(graph.csr(), repeated, fanouts, {}), "sample_neighbors: seeds[2] = 3 is repeated");
}

TEST_CASE("sampled neighbors: the largest part has room where later vertices have more neighbors") {
  // The seeds 0, 1 meet 2 alone, which meets the other three; those have all edges that they can.
  std::vector<std::pair<std::int32_t, std::int32_t>> edges{{2, 0}, {2, 1}, {3, 2}, {4, 2}, {5, 2}};
  for (std::int32_t v : {3, 4, 5}) {
    for (std::int32_t u = 0; u < 6; ++u) edges.push_back({u, v});
  }
  auto const graph = testing::make_test_graph("late", 6, 6, edges);
  std::vector<std::int32_t> const seeds{0, 1};
  std::vector<std::int64_t> const fanouts{2, 3, 6};
  auto const part = sample_neighbors(graph.csr(), seeds, fanouts, {7, 4});
  CHECK(part.neighbors.size() == 23);
  check_part(graph, part, seeds, fanouts);
  // A fanout that no product of counts holds is all neighbors.
  std::vector<std::int64_t> const all(3, std::numeric_limits<std::int64_t>::max());
  CHECK(largest_part(graph.csr(), 2, all).edges == 23);
}

TEST_CASE("sampled neighbors: every edge of a row is as likely as the others") {
  auto const graph = testing::make_test_graph("star", 7, 7, {{1, 0}, {2, 0}, {3, 0}, {4, 0}, {5, 0}, {6, 0}});
  std::vector<int> counts(7);
  std::vector<std::int32_t> const seeds{0};
  std::vector<std::int64_t> const fanouts{2};
  constexpr int num_draws = 3000;
  for (std::uint64_t step = 0; step < num_draws; ++step) {
    for (auto const v : sample_neighbors(graph.csr(), seeds, fanouts, {1, step}).vertices) ++counts[v];
  }
  CHECK(counts[0] == num_draws);
  // Of 3000 draws with probability 1/3 the deviation is 26.
  for (int v = 1; v < 7; ++v) CHECK(std::abs(counts[v] - num_draws / 3) < 130);
}

TEST_CASE("shuffled rows are all rows, in another order for another state") {
  std::vector<std::int32_t> rows(50);
  for (std::int32_t i = 0; i < 50; ++i) rows[static_cast<std::size_t>(i)] = 2 * i;
  auto const first = shuffled(rows, {3, 0});
  CHECK(first != rows);
  CHECK(first == shuffled(rows, {3, 0}));
  CHECK(first != shuffled(rows, {3, 1}));
  CHECK(first != shuffled(rows, {4, 0}));
  auto sorted = first;
  std::sort(sorted.begin(), sorted.end());
  CHECK(sorted == rows);
}

}  // namespace
}  // namespace edgewise::models
