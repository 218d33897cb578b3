// Partitions and parts where no rank holds the whole graph.
#include <vector>

#include "distributed/check_part.hpp"
#include "mpi_ranks.hpp"

using namespace edgewise;
using namespace edgewise::testing;

namespace {

/// Every so many edges of a graph, by id.
struct dealt_edges {
  vertex_counts counts;
  std::vector<std::int64_t> sources = {}, destinations = {}, ids = {};
  edge_slice slice() const { return {counts, sources, destinations, ids}; }
};
dealt_edges deal(test_graph const& graph) {
  dealt_edges dealt{.counts = {.sources = graph.num_sources, .destinations = graph.num_destinations}};
  for (int k = world().rank(); k < graph.num_edges(); k += world().size()) {
    dealt.sources.push_back(graph.sources[static_cast<std::size_t>(k)]);
    dealt.destinations.push_back(graph.destinations[static_cast<std::size_t>(k)]);
    dealt.ids.push_back(k);
  }
  return dealt;
}

template <class T>
std::vector<T> listed(host_buffer<T> const& values) {
  return {values.begin(), values.end()};
}

}  // namespace

TEST_CASE("partition: slices give the owners and parts of the whole graph", "[distributed]") {
  for (auto const& graph : battery()) {
    INFO(graph.name);
    auto const dealt = deal(graph);
    auto const expected = partition(graph.csr(), world().size(), by_edges{});
    auto const owners = partition(world(), cpu{}, dealt.slice(), by_edges{});
    REQUIRE(owners.counts() == expected.counts());
    for (int r = 0; r < world().size(); ++r) {
      CHECK(owners.destinations.vertices_of(r) == expected.destinations.vertices_of(r));
      CHECK(owners.of_sources().vertices_of(r) == expected.of_sources().vertices_of(r));
    }
    auto const whole = make_part(cpu{}, graph.csr(), expected, world().rank());
    auto const part = make_part(world(), cpu{}, dealt.slice(), owners);
    CHECK(part.whole_edges == whole.whole_edges);
    CHECK(listed(part.destinations) == listed(whole.destinations));
    CHECK(listed(part.source_ids()) == listed(whole.source_ids()));
    CHECK(listed(part.edges) == listed(whole.edges));
    CHECK(listed(part.table) == listed(whole.table));
    CHECK(part.table_first == whole.table_first);
    for (auto const rows : {&graph_part<>::interior, &graph_part<>::boundary}) {
      CHECK(listed((part.*rows).offsets()) == listed((whole.*rows).offsets()));
      CHECK(listed((part.*rows).neighbors()) == listed((whole.*rows).neighbors()));
    }
  }
}

TEST_CASE("partition: edges without ids are numbered rank after rank", "[distributed]") {
  std::vector<std::int64_t> const ends{0, 1, 1};  // two edges 1 -> 1 and one 0 -> 0 from every rank
  auto const owners = partition(world(), cpu{}, {vertices(2), ends, ends}, by_edges{});
  auto const part = make_part(world(), cpu{}, {vertices(2), ends, ends}, owners);
  CHECK(part.whole_edges == 3 * world().size());
  auto const all = edgewise::detail::gather_lists(world(), cpu{}, listed(part.edges));
  std::vector<std::int64_t> ids;
  for (auto const& list : all) ids.insert(ids.end(), list.begin(), list.end());
  std::sort(ids.begin(), ids.end());
  REQUIRE(ids.size() == static_cast<std::size_t>(3 * world().size()));
  for (std::size_t k = 0; k < ids.size(); ++k) CHECK(ids[k] == static_cast<std::int64_t>(k));
}

TEST_CASE("partition: slices that are refused", "[distributed]") {
  std::vector<std::int64_t> const ends{0, 1, 2}, fewer{0, 1};
  CHECK_THROWS_WITH(partition(world(), cpu{}, {vertices(2), ends, ends}, by_edges{}),
                    "edge_slice: edge 2 is 2 -> 2, the graph has 2 sources and 2 destinations");
  CHECK_THROWS_WITH(partition(world(), cpu{}, {vertices(3), ends, fewer}, by_edges{}),
                    "edge_slice: has 3 sources, 2 destinations and 0 ids");
  if (world().size() == 1) return;
  auto const counts = vertices(3 + (world().rank() == 1 ? 1 : 0));
  CHECK_THROWS_WITH(partition(world(), cpu{}, {counts, ends, ends}, by_edges{}), Catch::Contains(" sources, rank "));
}

TEST_CASE("make_part: slices that do not go together", "[distributed]") {
  if (world().size() == 1) return;
  int const rank = world().rank();
  auto const ranges = [](std::int64_t first) {
    std::vector<std::int64_t> cuts(static_cast<std::size_t>(world().size()) + 1, 4);
    cuts[0] = 0;
    cuts[1] = first;
    return ownership{.destinations = vertex_owners::of_ranges(cuts)};
  };
  std::vector<std::int64_t> const ends{0, 3};
  std::vector<std::int64_t> ids{2 * rank, 2 * rank + 1};
  auto const make = [&](ownership const& owners, bool has_ids) {
    edge_slice const slice{vertices(4), ends, ends,
                           has_ids ? std::span<std::int64_t const>(ids) : std::span<std::int64_t const>()};
    return make_part(world(), cpu{}, slice, owners);
  };
  CHECK(make(ranges(2), true).whole_edges == 2 * world().size());
  CHECK_THROWS_WITH(make(ranges(rank == 1 ? 1 : 2), true), Catch::Contains("as the hash of owners"));
  CHECK_THROWS_WITH(make(ranges(2), rank == 1), Catch::Contains("for slices with ids (1) or without (0)"));
  if (rank == 1) ids[0] = 0;
  CHECK_THROWS_WITH(make(ranges(2), true), edgewise::detail::text("make_part: the ids of all slices must be 0 to ",
                                                                  2 * world().size() - 1, ", each once"));
}
