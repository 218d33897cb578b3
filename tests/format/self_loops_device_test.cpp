#include "self_loops_device.hpp"

#include <algorithm>
#include <vector>

#include "support/catch.hpp"

#include <edgewise/format/make.hpp>

#include "../support/device.hpp"
#include "edges.hpp"

namespace edgewise {
namespace {

template <class T>
void check_same(host_buffer<T> const& left, host_buffer<T> const& right) {
  REQUIRE(left.size() == right.size());
  CHECK(std::equal(left.begin(), left.end(), right.begin()));
}
template <class Offset>
void check_policies(coo<std::int32_t, Offset> const& edges) {
  for (auto const policy : {self_loops::add_to_all, self_loops::add_where_missing, self_loops::drop}) {
    CAPTURE(static_cast<int>(policy));
    auto const actual = testing::self_loops_on_device(edges, policy);
    auto const expected = with_self_loops(cpu{}, edges, policy);
    CHECK(actual.counts() == expected.counts());
    check_same(actual.sources(), expected.sources());
    check_same(actual.destinations(), expected.destinations());
    check_same(actual.edge_ids(), expected.edge_ids());
  }
}

/// The same edges with ids that are not the positions, shuffled.
template <class Offset>
coo<std::int32_t, Offset> with_shuffled_ids(vertex_counts counts, std::vector<int> const& sources,
                                            std::vector<int> const& destinations, testing::random_stream& random) {
  std::vector<Offset> ids(sources.size());
  for (std::size_t k = 0; k < ids.size(); ++k) {
    auto const other = static_cast<std::size_t>(random.below(static_cast<int>(k) + 1));
    ids[k] = ids[other];
    ids[other] = static_cast<Offset>(k);
  }
  return make_coo<Offset>(counts, sources, destinations, ids);
}

TEMPLATE_TEST_CASE("device self loops are the bits of the host's", "[format][gpu]", std::int32_t, std::int64_t) {
  testing::skip_without_cuda_device();
  testing::random_stream random("self loops on a device");
  for (auto const& graph : testing::battery()) {
    if (!graph.is_square()) continue;
    CAPTURE(graph.name);
    vertex_counts const counts{.sources = graph.num_sources, .destinations = graph.num_destinations};
    check_policies(make_coo<TestType>(counts, graph.sources, graph.destinations));
    check_policies(with_shuffled_ids<TestType>(counts, graph.sources, graph.destinations, random));
  }
  // More vertices and edges than a block has threads, a third of the edges self loops, some of them twice.
  int const num_vertices = 3000;
  std::vector<int> sources, destinations;
  for (int k = 0; k < 10000; ++k) {
    sources.push_back(random.below(num_vertices));
    destinations.push_back(random.below(3) == 0 ? sources.back() : random.below(num_vertices));
  }
  check_policies(make_coo<TestType>(vertices(num_vertices), sources, destinations));
  check_policies(with_shuffled_ids<TestType>(vertices(num_vertices), sources, destinations, random));
}

TEST_CASE("device self loops need the same vertices on both sides", "[format][gpu]") {
  testing::skip_without_cuda_device();
  auto const edges = make_coo({.sources = 3, .destinations = 2}, std::vector<int>{0, 2}, std::vector<int>{1, 0});
  CHECK(testing::refusal_on_device(edges, self_loops::add_to_all) ==
        "with_self_loops: the graph has 3 sources and 2 destinations, must have the same vertices on both sides");
  auto const square = make_coo(vertices(2), std::vector<int>{0}, std::vector<int>{1});
  CHECK(testing::refusal_on_device(square, self_loops::drop) ==
        "add_self_loops: the policy is drop; see remove_self_loops");
}

}  // namespace
}  // namespace edgewise
