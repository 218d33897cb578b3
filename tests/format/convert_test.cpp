#include <edgewise/format/convert.hpp>

#include <cstdint>
#include <vector>

#include "support/catch.hpp"

#include <edgewise/format/make.hpp>

#include "edges.hpp"

namespace edgewise {
namespace {

using testing::edges_by_id;
using testing::edges_of;
using testing::values;

template <class Left, class Right>
void check_same_rows(Left const& left, Right const& right) {
  REQUIRE(left.num_rows == right.num_rows);
  REQUIRE(left.num_neighbors == right.num_neighbors);
  REQUIRE(left.num_edges == right.num_edges);
  CHECK(std::equal(left.offsets, left.offsets + left.num_rows + 1, right.offsets));
  CHECK(std::equal(left.neighbors, left.neighbors + left.num_edges, right.neighbors));
  for (std::int64_t k = 0; k < left.num_edges; ++k) {
    REQUIRE(left.edge_id(static_cast<typename Left::offset_type>(k)) ==
            right.edge_id(static_cast<typename Right::offset_type>(k)));
  }
}

TEMPLATE_TEST_CASE("grouping a coo lists the edges of a row by ascending id", "", std::int32_t, std::int64_t) {
  for (auto const& graph : testing::battery()) {
    CAPTURE(graph.name);
    vertex_counts const counts{.sources = graph.num_sources, .destinations = graph.num_destinations};
    auto const pairs = make_coo<TestType>(counts, graph.sources, graph.destinations);
    auto const by_destination = to_csr(cpu{}, pairs);
    auto const by_source = to_csc(cpu{}, pairs);
    validate(edgewise::graph{by_destination, by_source});
    check_same_rows(by_destination.view(), graph.csr());
    check_same_rows(by_source.view(), graph.csc());
  }
}

TEST_CASE("every conversion keeps edges and ids") {
  for (auto const& graph : testing::battery()) {
    CAPTURE(graph.name);
    auto const edges = edges_of(graph);
    CHECK(edges_by_id(to_csc(cpu{}, graph.csr()).view()) == edges);
    CHECK(edges_by_id(to_csr(cpu{}, graph.csc()).view()) == edges);
    CHECK(edges_by_id(to_coo(cpu{}, graph.csr()).view()) == edges);
    CHECK(edges_by_id(to_coo(cpu{}, graph.csc()).view()) == edges);
    validate(to_csc(cpu{}, graph.csr()));
    validate(to_csr(cpu{}, graph.csc()));
    // There and back again through a coo whose ids are not its positions.
    auto const shuffled = to_coo(cpu{}, graph.csc());
    check_same_rows(to_csc(cpu{}, shuffled).view(), graph.csc());
    CHECK(edges_by_id(to_csr(cpu{}, shuffled).view()) == edges);
  }
}

TEST_CASE("rows of a transposed grouping ascend by neighbor") {
  auto const graph = testing::random_skewed();
  auto const by_source = to_csc(cpu{}, graph.csr());
  auto const by_destination = to_csr(cpu{}, by_source);
  auto const check_sorted = [](auto const& view) {
    for (int row = 0; row < view.num_rows; ++row) {
      REQUIRE(std::is_sorted(view.neighbors + view.offsets[row], view.neighbors + view.offsets[row + 1]));
    }
  };
  check_sorted(by_source.view());
  check_sorted(by_destination.view());
}

TEST_CASE("a coo without ids comes from a grouping without ids") {
  std::vector<int> const offsets{0, 2, 2, 3};
  std::vector<int> const neighbors{1, 0, 2};
  auto const rows = make_csr(vertices(3), offsets, neighbors);
  auto const pairs = to_coo(cpu{}, rows);
  CHECK(pairs.edge_ids().empty());
  CHECK(values(pairs.view().sources, 3) == std::vector<int>{1, 0, 2});
  CHECK(values(pairs.view().destinations, 3) == std::vector<int>{0, 0, 2});
}

TEST_CASE("conversions take their memory from the resource") {
  counting_resource memory(host_memory());
  auto const graph = testing::multi_edges();
  {
    auto const rows = to_csr(cpu{.memory = &memory}, graph.coo());
    CHECK(rows.memory() == &memory);
    CHECK(memory.live_bytes() == rows.size_bytes());
  }
  CHECK(memory.live_bytes() == 0);
}

}  // namespace
}  // namespace edgewise
