#include <edgewise/format/reverse.hpp>

#include <utility>

#include "support/catch.hpp"

#include <edgewise/format/typed_edges.hpp>
#include <edgewise/format/validate.hpp>

#include "edges.hpp"

namespace edgewise {
namespace {

std::vector<testing::edge> turned_round(std::vector<testing::edge> edges) {
  for (auto& [source, destination, id] : edges) std::swap(source, destination);
  return edges;
}

TEST_CASE("the reverse of a view has every edge turned round under its id") {
  for (auto const& graph : testing::battery()) {
    CAPTURE(graph.name);
    auto const expected = turned_round(testing::edges_of(graph));
    CHECK(testing::edges_by_id(reverse(graph.csr())) == expected);
    CHECK(testing::edges_by_id(reverse(graph.csc())) == expected);
    CHECK(testing::edges_by_id(reverse(graph.coo())) == expected);
    CHECK(reverse(graph.csr()).num_sources() == graph.num_destinations);
    std::vector<int> types;
    for (int e = 0; e < graph.num_edges(); ++e) types.push_back(graph.type_of(e));
    auto const by_type = to_typed_edges(cpu{}, graph.csr(), types, graph.num_types);
    CHECK(testing::edges_by_id(reverse(by_type.view())) == expected);
    validate(reverse(edgewise::graph{graph.csr(), graph.csc(), by_type.view()}));
    CHECK(reverse(graph.coo()).num_destinations() == graph.num_sources);
  }
}

TEST_CASE("a reversed graph swaps its groupings and copies nothing") {
  auto const graph = testing::bipartite(37, 53, 0.2);
  edgewise::graph const g{graph.csr(), graph.csc()};
  auto const turned = reverse(g);
  validate(turned);
  CHECK(turned.first.neighbors == graph.csc().neighbors);
  CHECK(turned.second.neighbors == graph.csr().neighbors);
  auto const back = reverse(turned);
  CHECK(back.first.offsets == g.first.offsets);
  CHECK(back.second.edge_ids == g.second.edge_ids);
  CHECK(reverse(edgewise::graph{graph.csr()}).first.num_sources() == graph.num_destinations);
}

}  // namespace
}  // namespace edgewise
