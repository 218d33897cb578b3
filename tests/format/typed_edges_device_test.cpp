#include "typed_edges_device.hpp"

#include <algorithm>

#include "support/catch.hpp"

#include <edgewise/format/convert.hpp>
#include <edgewise/format/make.hpp>

#include "../support/device.hpp"
#include "edges.hpp"

namespace edgewise {
namespace {

template <class T>
void check_same(host_buffer<T> const& left, host_buffer<T> const& right) {
  CHECK(std::equal(left.begin(), left.end(), right.begin(), right.end()));
}
void check_same(coo<> const& left, coo<> const& right) {
  CHECK(left.counts() == right.counts());
  check_same(left.sources(), right.sources());
  check_same(left.destinations(), right.destinations());
  check_same(left.edge_ids(), right.edge_ids());
}
void check_same(typed_edges<> const& left, typed_edges<> const& right) {
  CHECK(left.counts() == right.counts());
  CHECK(left.num_types() == right.num_types());
  check_same(left.offsets(), right.offsets());
  check_same(left.sources(), right.sources());
  check_same(left.destinations(), right.destinations());
  check_same(left.edge_ids(), right.edge_ids());
  check_same(left.edge_types(), right.edge_types());
}
void check_same(typed_pairs<> const& left, typed_pairs<> const& right) {
  check_same(left.offsets, right.offsets);
  check_same(left.vertices, right.vertices);
  check_same(left.edges, right.edges);
  check_same(left.members, right.members);
}

TEST_CASE("edges by type and their pairs are on a device what they are on the host", "[gpu]") {
  testing::skip_without_cuda_device();
  for (auto const& graph : testing::battery()) {
    CAPTURE(graph.name);
    vertex_counts const counts{.sources = graph.num_sources, .destinations = graph.num_destinations};
    std::vector<int> types;
    for (int e = 0; e < graph.num_edges(); ++e) types.push_back(graph.type_of(e));
    auto const edges = make_coo(counts, graph.sources, graph.destinations);
    auto const rows = to_csr(cpu{}, edges);
    auto const on_device = testing::types_on_device(rows, edges, types, graph.num_types);
    auto const by_type = to_typed_edges(cpu{}, rows, types, graph.num_types);
    check_same(on_device.from_csr, by_type);
    check_same(on_device.copied, by_type);
    check_same(on_device.from_coo, to_typed_edges(cpu{}, edges, types, graph.num_types));
    check_same(on_device.by_source, find_typed_pairs(cpu{}, by_type, endpoint::source));
    check_same(on_device.by_destination, find_typed_pairs(cpu{}, by_type, endpoint::destination));
  }
}

}  // namespace
}  // namespace edgewise
