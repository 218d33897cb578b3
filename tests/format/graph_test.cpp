#include <edgewise/format/graph.hpp>

#include <type_traits>
#include <utility>
#include <vector>

#include "support/catch.hpp"

#include <edgewise/format/convert.hpp>

#include "edges.hpp"

namespace edgewise {
namespace {

using pair_graph = graph<csr_view<int, int>, csc_view<int, int>>;

TEST_CASE("a graph shows the views it is made of, or those of containers") {
  auto const edges = testing::bipartite(37, 53, 0.2);
  auto const by_destination = to_csr(cpu{}, edges.coo());
  auto const by_source = to_csc(cpu{}, edges.coo());
  auto const pairs = to_coo(cpu{}, edges.csr());

  graph const from_containers{by_destination, by_source};
  graph const from_views{by_destination.view(), by_source.view()};
  STATIC_REQUIRE(std::is_same_v<decltype(from_containers), pair_graph const>);
  STATIC_REQUIRE(std::is_same_v<decltype(from_views), pair_graph const>);
  CHECK(from_containers.first.neighbors == by_destination.view().neighbors);
  CHECK(from_containers.second.edge_ids == by_source.view().edge_ids);
  CHECK(from_views.first.offsets == by_destination.view().offsets);

  STATIC_REQUIRE(std::is_same_v<decltype(graph{by_destination}), graph<csr_view<int, int>>>);
  STATIC_REQUIRE(std::is_same_v<decltype(graph{by_source}), graph<csc_view<int, int>>>);
  STATIC_REQUIRE(std::is_same_v<decltype(graph{pairs}), graph<coo_view<int, int>>>);
  CHECK(graph{pairs}.first.sources == pairs.view().sources);
}

TEST_CASE("a container turns into its view, but not as a temporary") {
  STATIC_REQUIRE(std::is_convertible_v<csr<> const&, csr_view<>>);
  STATIC_REQUIRE(std::is_convertible_v<csc<> const&, csc_view<>>);
  STATIC_REQUIRE(std::is_convertible_v<coo<> const&, coo_view<>>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<csr<>, csr_view<>>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<csc<>, csc_view<>>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<coo<>, coo_view<>>);
}

TEST_CASE("containers move and never copy") {
  STATIC_REQUIRE_FALSE(std::is_copy_constructible_v<csr<>>);
  auto rows = to_csr(cpu{}, testing::multi_edges().coo());
  auto const* const neighbors = rows.view().neighbors;
  auto const moved = std::move(rows);
  CHECK(moved.view().neighbors == neighbors);
  CHECK(moved.num_edges() == 12);
}

}  // namespace
}  // namespace edgewise
