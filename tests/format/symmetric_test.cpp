#include <edgewise/format/symmetric.hpp>

#include <vector>

#include "support/catch.hpp"

#include <edgewise/format/generate.hpp>
#include <edgewise/format/make.hpp>
#include <edgewise/format/validate.hpp>

#include "edges.hpp"
#include "message.hpp"

namespace edgewise {
namespace {

using testing::edge_list;
using testing::make_test_graph;
using testing::message_of;
using testing::test_graph;

/// Symmetric, with parallel edges and self loops, ids interleaved: 0 - 1 twice, 1 - 2, 2 - 3 three times, loops at 2.
test_graph symmetric_multigraph() {
  return make_test_graph(
      "symmetric multigraph", 5, 5,
      {{1, 0}, {2, 3}, {2, 2}, {0, 1}, {3, 2}, {2, 1}, {3, 2}, {1, 0}, {1, 2}, {2, 2}, {0, 1}, {2, 3}, {2, 3}, {3, 2}});
}

std::vector<test_graph> symmetric_graphs() {
  std::vector<test_graph> graphs{symmetric_multigraph(), testing::symmetric(), testing::no_vertices(),
                                 testing::no_edges(9), testing::self_loop()};
  edge_list star;
  for (int v = 1; v < 200; ++v) {
    star.push_back({0, v});
    star.push_back({v, 0});
  }
  graphs.push_back(make_test_graph("star", 200, 200, star));
  return graphs;
}

TEST_CASE("the permutation takes every edge to its reverse, and back") {
  for (auto const& graph : symmetric_graphs()) {
    CAPTURE(graph.name);
    auto const csr = graph.csr();
    auto const reverse_ids = reverse_edge_permutation(cpu{}, csr);
    REQUIRE(static_cast<int>(reverse_ids.size()) == graph.num_edges());
    std::vector<int> reverse_of(reverse_ids.size());  // by id
    for (int k = 0; k < graph.num_edges(); ++k) reverse_of[csr.edge_id(k)] = reverse_ids[k];
    for (int e = 0; e < graph.num_edges(); ++e) {
      int const r = reverse_of[e];
      CHECK(graph.sources[r] == graph.destinations[e]);
      CHECK(graph.destinations[r] == graph.sources[e]);
      CHECK(reverse_of[r] == e);
      if (graph.sources[e] == graph.destinations[e]) CHECK(r == e);
    }
  }
}

TEST_CASE("a symmetric graph's lent csc is a csc") {
  for (auto const& graph : symmetric_graphs()) {
    CAPTURE(graph.name);
    auto const rows = to_csr(cpu{}, graph.coo());
    auto const reverse_ids = reverse_edge_permutation(cpu{}, rows);
    auto const lent = symmetric_graph(rows, reverse_ids);
    validate(lent);
    CHECK(testing::edges_by_id(lent.second) == testing::edges_of(graph));
    CHECK(lent.second.neighbors == rows.view().neighbors);
  }
}

TEST_CASE("asymmetric weights are found from both sides") {
  auto const graph = symmetric_multigraph();
  auto const rows = to_csr(cpu{}, graph.coo());
  auto const reverse_ids = reverse_edge_permutation(cpu{}, rows);
  auto const lent = symmetric_graph(rows, reverse_ids).second;
  std::vector<double> weight, out_strength(5), expected(5);
  for (int e = 0; e < graph.num_edges(); ++e) {
    weight.push_back(1 << e);  // sums of different edges differ
    expected[graph.sources[e]] += weight[e];
  }
  for (int u = 0; u < 5; ++u) {
    for (int k = lent.offsets[u]; k < lent.offsets[u + 1]; ++k) out_strength[u] += weight[lent.edge_id(k)];
  }
  CHECK(out_strength == expected);
}

TEST_CASE("the first edge without reverse is named") {
  auto const refusal = [](test_graph const& graph) {
    return message_of<invalid_argument>([&] { reverse_edge_permutation(cpu{}, graph.csr()); });
  };
  CHECK(
      refusal(make_test_graph("one way", 4, 4, {{3, 2}, {1, 0}, {0, 1}, {2, 1}, {1, 2}})) ==
      "reverse_edge_permutation: edge 0, 3 -> 2 at csr position 3, has no reverse 2 -> 3; the graph is not symmetric");
  // Two edges there, one back: the second of the pair is the lonely one. Positions: 0 and 1 in row 0, 2 in row 1.
  CHECK(
      refusal(make_test_graph("twice there, once back", 2, 2, {{0, 1}, {1, 0}, {1, 0}})) ==
      "reverse_edge_permutation: edge 2, 1 -> 0 at csr position 1, has no reverse 0 -> 1; the graph is not symmetric");
  CHECK(
      refusal(testing::chain(3)) ==
      "reverse_edge_permutation: edge 0, 0 -> 1 at csr position 0, has no reverse 1 -> 0; the graph is not symmetric");
  CHECK(refusal(testing::bipartite(37, 53, 0.2)) ==
        "reverse_edge_permutation: the graph has 37 sources and 53 destinations, a symmetric graph has as many");
}

TEST_CASE("an array of another size is refused") {
  auto const club = karate_club();
  auto const rows = to_csr(cpu{}, club.edges);
  host_buffer<int> const other(155, host_memory());
  CHECK(message_of<invalid_argument>([&] { symmetric_graph(rows, other); }) ==
        "symmetric_graph: reverse_ids has 155 elements, must have num_edges = 156");
}

}  // namespace
}  // namespace edgewise
