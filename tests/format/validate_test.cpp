#include <edgewise/format/validate.hpp>

#include <string>
#include <utility>
#include <vector>

#include "support/catch.hpp"

#include <edgewise/format/make.hpp>

#include "edges.hpp"
#include "message.hpp"

namespace edgewise {
namespace {

template <class View>
std::string refusal(View const& view) {
  return testing::message_of<invalid_argument>([&] { validate(view); });
}

/// 3 sources, 2 destinations, edges 0: 2 -> 0, 1: 1 -> 1, 2: 0 -> 0; each test breaks one value.
struct arrays {
  std::vector<int> offsets{0, 2, 3};
  std::vector<int> neighbors{2, 0, 1};
  std::vector<int> edge_ids{0, 2, 1};

  csr_view<> csr() const { return {{offsets.data(), neighbors.data(), edge_ids.data(), 2, 3, 3}}; }
  csc_view<> csc() const { return {{offsets.data(), neighbors.data(), edge_ids.data(), 2, 3, 3}}; }
};

TEST_CASE("valid graphs pass") {
  for (auto const& graph : testing::battery()) {
    CAPTURE(graph.name);
    CHECK(refusal(graph.csr()) == "no error");
    CHECK(refusal(graph.csc()) == "no error");
    CHECK(refusal(graph.coo()) == "no error");
    CHECK(refusal(edgewise::graph{graph.csr(), graph.csc()}) == "no error");
  }
  CHECK(refusal(arrays{}.csr()) == "no error");
  CHECK(refusal(csr_view<>{}) == "no error");
  CHECK(refusal(csc<>{}) == "no error");
  CHECK(refusal(coo<>{}) == "no error");
}

TEST_CASE("a wrong offset is named") {
  arrays a;
  a.offsets = {1, 2, 3};
  CHECK(refusal(a.csr()) == "csr: offsets[0] = 1, must be 0");
  a.offsets = {0, -1, 3};
  CHECK(refusal(a.csr()) == "csr: offsets[1] = -1 is less than offsets[0] = 0");
  a.offsets = {0, 4, 3};
  CHECK(refusal(a.csr()) == "csr: offsets[1] = 4, but the graph has 3 edges");
  a.offsets = {0, 2, 2};
  CHECK(refusal(a.csc()) == "csc: offsets[2] = 2, must be the number of edges 3");
  a.offsets = {0, 2, 1};
  CHECK(refusal(a.csc()) == "csc: offsets[2] = 1 is less than offsets[1] = 2");
}

TEST_CASE("the first neighbor that is out of range is named") {
  arrays a;
  a.neighbors = {2, 3, -1};
  CHECK(refusal(a.csr()) == "csr: neighbors[1] = 3, but the graph has 3 sources");
  a.neighbors = {2, 0, -1};
  CHECK(refusal(a.csc()) == "csc: neighbors[2] = -1, but the graph has 3 destinations");
}

TEST_CASE("edge ids must be a permutation") {
  arrays a;
  a.edge_ids = {0, 3, 1};
  CHECK(refusal(a.csr()) == "csr: edge_ids[1] = 3, but the graph has 3 edges");
  a.edge_ids = {1, -2, 1};
  CHECK(refusal(a.csr()) == "csr: edge_ids[1] = -2, but the graph has 3 edges");
  a.edge_ids = {1, 0, 1};
  CHECK(refusal(a.csc()) == "csc: edge_ids[2] = 1, which edge_ids[0] is already; ids must be a permutation of 0 .. 2");
}

TEST_CASE("a coo's endpoints are checked against their own counts") {
  std::vector<int> const three{0, 2, 1};
  std::vector<int> const two{0, 1, 1};
  CHECK(refusal(coo_view<>{three.data(), two.data(), nullptr, 3, 2, 3}) == "no error");
  CHECK(refusal(coo_view<>{three.data(), two.data(), nullptr, 2, 2, 3}) ==
        "coo: sources[1] = 2, but the graph has 2 sources");
  CHECK(refusal(coo_view<>{two.data(), three.data(), nullptr, 3, 2, 3}) ==
        "coo: destinations[1] = 2, but the graph has 2 destinations");
  CHECK(refusal(coo_view<>{two.data(), two.data(), two.data(), 2, 2, 3}) ==
        "coo: edge_ids[2] = 1, which edge_ids[1] is already; ids must be a permutation of 0 .. 2");
}

TEST_CASE("null arrays and negative counts are refused before they are read") {
  CHECK(refusal(csr_view<>{{nullptr, nullptr, nullptr, 2, 3, 0}}) == "csr: offsets is null, must have 3 elements");
  arrays const a;
  CHECK(refusal(csr_view<>{{a.offsets.data(), nullptr, nullptr, 2, 3, 3}}) ==
        "csr: neighbors is null, must have 3 elements");
  CHECK(refusal(coo_view<>{nullptr, nullptr, nullptr, 1, 1, 1}) == "coo: sources is null, must have 1 elements");
  CHECK(refusal(csr_view<>{{a.offsets.data(), a.neighbors.data(), nullptr, -1, 3, 3}}) ==
        "csr: num_rows = -1, must not be negative");
  CHECK(refusal(coo_view<>{nullptr, nullptr, nullptr, 1, 1, -4}) == "coo: num_edges = -4, must not be negative");
}

TEST_CASE("64-bit offsets and ids are checked without narrowing") {
  std::vector<std::int64_t> const offsets{0, std::int64_t{1} << 32};
  std::vector<int> const neighbors{0};
  csr_view<int, std::int64_t> const rows{{offsets.data(), neighbors.data(), nullptr, 1, 1, 1}};
  CHECK(refusal(rows) == "csr: offsets[1] = 4294967296, but the graph has 1 edges");
  std::vector<std::int64_t> const one{0, 1};
  std::vector<std::int64_t> const ids{std::int64_t{1} << 32};
  CHECK(refusal(csr_view<int, std::int64_t>{{one.data(), neighbors.data(), ids.data(), 1, 1, 1}}) ==
        "csr: edge_ids[0] = 4294967296, but the graph has 1 edges");
}

TEST_CASE("the groupings of a graph must hold the same edges") {
  auto const graph = testing::directed();
  auto const other = testing::symmetric();
  CHECK(refusal(edgewise::graph{graph.csr(), other.csc()}).substr(0, 20) == "graph: csr has 50 so");
  // A directed graph does not lend its csr as its csc.
  auto const csr = graph.csr();
  csc_view<> const lent{{csr.offsets, csr.neighbors, csr.edge_ids, csr.num_rows, csr.num_neighbors, csr.num_edges}};
  CHECK(refusal(edgewise::graph{csr, lent}) ==
        detail::text("graph: edge 0 is ", graph.sources[0], " -> ", graph.destinations[0], " in csr, but ",
                     graph.destinations[0], " -> ", graph.sources[0], " in csc"));
}

}  // namespace
}  // namespace edgewise
