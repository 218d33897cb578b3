// Operands by type over the ranks of MPI are those over the whole graph.
#include <cstdint>
#include <vector>

#include "mpi_ranks.hpp"
#include "program/relation_cases.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("distributed: operands by type", "[distributed]", relation_bases, first_set<relation_attention>,
                   first_set<relation_maximum>, first_set<relation_scores>) {
  check_on_mpi<TestType>();
}

namespace {

/// Every so many edges of a graph, with their types.
struct dealt_types {
  std::vector<std::int64_t> sources = {}, destinations = {}, ids = {};
  std::vector<std::int32_t> types = {};

  explicit dealt_types(test_graph const& graph) {
    auto const all = types_of(graph);
    for (int k = world().rank(); k < graph.num_edges(); k += world().size()) {
      auto const e = static_cast<std::size_t>(k);
      sources.push_back(graph.sources[e]);
      destinations.push_back(graph.destinations[e]);
      ids.push_back(k);
      types.push_back(all[e]);
    }
  }
  typed_edge_slice slice(test_graph const& graph) const {
    vertex_counts const counts{.sources = graph.num_sources, .destinations = graph.num_destinations};
    return {{counts, sources, destinations, ids}, types, test_graph::num_types};
  }
};

}  // namespace

TEST_CASE("make_part: slices of edges with types", "[distributed]") {
  for (auto const& graph : {no_edges(5), multi_edges(), bipartite(30, 11, 0.2), random_skewed(300, 3000)}) {
    INFO(graph.name);
    auto const owners = partition(graph.csr(), world().size(), by_edges{});
    dealt_types const dealt(graph);
    auto const part = make_part(world(), cpu{}, dealt.slice(graph), owners);
    CHECK(part.num_types == test_graph::num_types);
    REQUIRE(part.edge_types.size() == part.edges.size());
    auto const types = types_of(graph);
    for (std::size_t e = 0; e < part.edges.size(); ++e) {
      CHECK(part.edge_types[e] == types[static_cast<std::size_t>(part.edges[e])]);
    }
  }
}

TEST_CASE("make_part: types that are refused", "[distributed]") {
  auto const graph = directed();
  dealt_types dealt(graph);
  if (dealt.types.empty()) return;
  auto const owners = partition(graph.csr(), world().size(), by_edges{});
  dealt.types.back() = test_graph::num_types;
  CHECK_THROWS_WITH(make_part(world(), cpu{}, dealt.slice(graph), owners),
                    edgewise::detail::text("typed_edges: types[", dealt.types.size() - 1, "] = 7, there are 7 types"));
  dealt.types.pop_back();
  CHECK_THROWS_WITH(make_part(world(), cpu{}, dealt.slice(graph), owners), Catch::Contains("types has"));
  auto const other = chain(40);
  auto const of_other = to_typed_edges(cpu{}, other.csr(), types_of(other), test_graph::num_types);
  CHECK_THROWS_WITH(make_part(cpu{}, edgewise::graph{graph.csr(), of_other.view()}, owners, world().rank()),
                    Catch::Contains("typed_edges has 40"));
}

TEST_CASE("distributed: ranks that do not agree on the types", "[distributed]") {
  auto const graph = directed();
  auto const owners = partition(graph.csr(), world().size(), by_edges{});
  auto const by_type = to_typed_edges(cpu{}, graph.csr(), types_of(graph), test_graph::num_types);
  auto part = make_part(cpu{}, edgewise::graph{graph.csr(), by_type.view()}, owners, world().rank());
  if (world().rank() == 1) ++part.num_types;
  if (world().size() == 1) return;
  CHECK_THROWS_WITH(distributed_graph(world(), cpu{}, std::move(part)), Catch::Contains(" types of edges, rank "));
}
