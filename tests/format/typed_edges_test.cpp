#include <edgewise/format/typed_edges.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support/catch.hpp"

#include <edgewise/format/convert.hpp>
#include <edgewise/format/make.hpp>
#include <edgewise/format/typed_pairs.hpp>
#include <edgewise/format/validate.hpp>

#include "edges.hpp"

namespace edgewise {
namespace {

using testing::edges_by_id;
using testing::edges_of;

std::vector<int> types_of(testing::test_graph const& graph) {
  std::vector<int> types;
  for (int e = 0; e < graph.num_edges(); ++e) types.push_back(graph.type_of(e));
  return types;
}

template <class Run>
std::string message_of(Run const& run) {
  try {
    run();
  } catch (invalid_argument const& refusal) {
    return refusal.what();
  }
  return {};
}

TEST_CASE("edges by type are the edges, each in the row of its type") {
  for (auto const& graph : testing::battery()) {
    CAPTURE(graph.name);
    auto const types = types_of(graph);
    for (auto const& by_type : {to_typed_edges(cpu{}, graph.csr(), types, graph.num_types),
                                to_typed_edges(cpu{}, graph.csc(), types, graph.num_types),
                                to_typed_edges(cpu{}, graph.coo(), types, graph.num_types)}) {
      validate(by_type);
      CHECK(by_type.num_types() == graph.num_types);
      CHECK(edges_by_id(by_type.view()) == edges_of(graph));
      CHECK(std::equal(types.begin(), types.end(), by_type.edge_types().begin(), by_type.edge_types().end()));
    }
    auto const by_type = to_typed_edges(cpu{}, graph.csr(), types, graph.num_types);
    validate(edgewise::graph{graph.csr(), by_type.view()});
    validate(edgewise::graph{graph.csr(), graph.csc(), by_type.view()});
    for (int type = 0; type < graph.num_types; ++type) {  // from a csr, by destination
      CHECK(std::is_sorted(by_type.destinations().begin() + by_type.offsets()[type],
                           by_type.destinations().begin() + by_type.offsets()[type + 1]));
    }
  }
}

TEST_CASE("wrong types of edges are refused, by the first") {
  auto const graph = testing::multi_edges();
  auto const make = [&](std::vector<int> const& types) {
    return message_of([&] { static_cast<void>(to_typed_edges(cpu{}, graph.csr(), types, 3)); });
  };
  std::vector<int> types(12, 1);
  CHECK(make(types).empty());
  types[7] = 3;
  types[9] = -1;
  CHECK(make(types) == "typed_edges: types[7] = 3, there are 3 types");
  types[7] = -2;
  CHECK(make(types) == "typed_edges: types[7] = -2, there are 3 types");
  types.pop_back();
  CHECK_THAT(make(types), Catch::Contains("types has 11") && Catch::Contains("12"));
}

TEST_CASE("validate finds edges in the row of another type, and other edges") {
  auto const graph = testing::multi_edges();
  std::vector<int> const types{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2};
  auto const by_type = to_typed_edges(cpu{}, graph.csr(), types, 3);
  auto view = by_type.view();
  std::vector<int> other = types;
  other[4] = 2;
  view.edge_types = other.data();
  CHECK_THAT(message_of([&] { validate(view); }), Catch::Contains("edge 4 is of type 2"));
  std::vector<int> sources(by_type.sources().begin(), by_type.sources().end());
  std::swap(sources.front(), sources.back());
  view = by_type.view();
  view.far_ends = sources.data();
  CHECK_THAT(message_of([&] {
               validate(edgewise::graph{graph.csr(), view});
             }),
             Catch::Contains("in csr") && Catch::Contains("in typed_edges"));
}

TEST_CASE("pairs of type and vertex are those of the edges, once, in order") {
  for (auto const& graph : testing::battery()) {
    CAPTURE(graph.name);
    auto const types = types_of(graph);
    auto const by_type = to_typed_edges(cpu{}, graph.csr(), types, graph.num_types);
    for (endpoint const end : {endpoint::source, endpoint::destination}) {
      auto const& vertex_of = end == endpoint::source ? graph.sources : graph.destinations;
      std::set<std::pair<int, int>> expected;
      for (int e = 0; e < graph.num_edges(); ++e) expected.insert({types[e], vertex_of[e]});

      auto const pairs = find_typed_pairs(cpu{}, by_type, end);
      REQUIRE(pairs.num_pairs() == static_cast<std::int64_t>(expected.size()));
      REQUIRE(pairs.offsets.size() == static_cast<std::size_t>(graph.num_types) + 1);
      int number = 0;
      std::map<std::pair<int, int>, int> number_of;
      for (auto const& [type, vertex] : expected) {
        CHECK(pairs.vertices[number] == vertex);
        CHECK((pairs.offsets[type] <= number && number < pairs.offsets[type + 1]));
        number_of[{type, vertex}] = number++;
      }

      validate(pairs.edges);
      auto const edges = edges_by_id(pairs.edges.view());
      REQUIRE(edges.size() == static_cast<std::size_t>(graph.num_edges()));
      for (int e = 0; e < graph.num_edges(); ++e) {
        int const pair = number_of.at({types[e], vertex_of[e]});
        CHECK(edges[e] == (end == endpoint::source ? testing::edge{pair, graph.destinations[e], e}
                                                   : testing::edge{graph.sources[e], pair, e}));
      }
      validate(pairs.members);
      for (auto const& [source, destination, pair] : edges_by_id(pairs.members.view())) {
        CHECK(pair == (end == endpoint::source ? destination : source));
        CHECK(pairs.vertices[pair] == (end == endpoint::source ? source : destination));
      }
    }
  }
}

}  // namespace
}  // namespace edgewise
