#include <cstdint>

#include "argument_sources_check.hpp"

using namespace edgewise;
using namespace edgewise::testing;

namespace {

template <class Graph>
found_sources sources_on_host(Graph const& g, test_graph const& graph, std::vector<float> const& features) {
  auto const size = static_cast<std::size_t>(graph.num_destinations * source_elements);
  std::vector<float> values(size);
  found_sources found{std::vector<int>(size, -7), std::vector<int>(size, -7)};
  find_sources(cpu{}, g, graph.num_sources, graph.num_destinations, features.data(), values.data(),
               found.largest.data(), found.smallest.data());
  return found;
}

}  // namespace

TEST_CASE("argument_sources: the sources of maxima and minima on the battery", "[plan]") {
  check_sources(small_battery(), [](test_graph const& graph, std::vector<float> const& features) {
    return sources_on_host(edgewise::graph{graph.csr()}, graph, features);
  });
}

TEST_CASE("argument_sources: offsets of 64 bits, beside a csc", "[plan]") {
  check_sources(small_battery(), [](test_graph const& graph, std::vector<float> const& features) {
    auto const rows = graph.by_destination.with_offsets<std::int64_t>();
    auto const columns = graph.by_source.with_offsets<std::int64_t>();
    return sources_on_host(edgewise::graph{graph.csr_of(rows), graph.csc_of(columns)}, graph, features);
  });
}

TEST_CASE("argument_sources: ids of one's own, a row without edges, a self edge, rows that lie apart", "[plan]") {
  // Into 0 from 1 (id 3), 2 (id 0); into 2 from 0 (id 2), 2 (id 1); none into 1.
  std::vector<int> const offsets{0, 2, 2, 4}, neighbors{1, 2, 0, 2}, ids{3, 0, 2, 1};
  edgewise::graph const g{csr_view<>{{offsets.data(), neighbors.data(), ids.data(), 3, 3, 4}}};
  std::vector<float> const features{9, 1, /**/ 5, 5, /**/ 2, 7};
  std::vector<float> values(6);
  std::vector<int> sources(9, -7);
  auto const in = bindings(bind<h>(per_head(features.data(), 3, 2)));
  auto const find = [&](auto const& program) {
    auto const plan = fuse(g, automatic{}, program).plan(cpu{}, in);
    auto saved = plan.make_saved(cpu{});
    plan.forward(cpu{}, in, out(per_head(values.data(), 3, 2)), saved);
    argument_sources(cpu{}, g, saved.argument(), out(per_head(sources.data(), 3, 2, 3)));
    return sources;
  };
  CHECK(find(gather<edgewise::max>(src<h>)) == std::vector<int>{1, 2, -7, -1, -1, -7, 0, 2, -7});
  CHECK(find(gather<edgewise::max>(with_self(src<h>))) == std::vector<int>{0, 2, -7, 1, 1, -7, 0, 2, -7});
}

TEST_CASE("argument_sources: names the shape that differs", "[plan]") {
  test_graph const edges = make_test_graph("shapes", 2, 2, {{0, 1}, {1, 1}});
  edgewise::graph const g{edges.csr()};
  std::vector<int> const argument(6, -1);
  std::vector<int> sources(6, -7);
  auto const of = [](int const* data, int rows) { return per_head(data, rows, 2); };
  CHECK_THROWS_WITH(argument_sources(cpu{}, g, of(argument.data(), 3), out(per_head(sources.data(), 2, 2))),
                    "argument_sources: argument: has 3 rows, the graph has 2 destinations");
  CHECK_THROWS_WITH(argument_sources(cpu{}, g, of(argument.data(), 2), out(per_head(sources.data(), 3, 2))),
                    "argument_sources: has 3 rows, the graph has 2 destinations");
  CHECK_THROWS_WITH(argument_sources(cpu{}, g, of(argument.data(), 2), out(per_head(sources.data(), 2, 3))),
                    Catch::Contains("argument_sources: has shape [2, 3]"));
  CHECK(sources == std::vector<int>(6, -7));
}
