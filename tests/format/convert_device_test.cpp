#include "convert_device.hpp"

#include <vector>

#include "support/catch.hpp"

#include <edgewise/format/convert.hpp>
#include <edgewise/format/make.hpp>

#include "../support/device.hpp"
#include "edges.hpp"

namespace edgewise {
namespace {

/// Checks that arrays agree bit for bit, which includes whether ids are written out.
template <class T>
void check_same(host_buffer<T> const& left, host_buffer<T> const& right) {
  REQUIRE(left.size() == right.size());
  CHECK(std::equal(left.begin(), left.end(), right.begin()));
}
template <class Rows>
void check_same_rows(Rows const& left, Rows const& right) {
  CHECK(left.counts() == right.counts());
  check_same(left.offsets(), right.offsets());
  check_same(left.neighbors(), right.neighbors());
  check_same(left.edge_ids(), right.edge_ids());
}
template <class Coo>
void check_same_pairs(Coo const& left, Coo const& right) {
  CHECK(left.counts() == right.counts());
  check_same(left.sources(), right.sources());
  check_same(left.destinations(), right.destinations());
  check_same(left.edge_ids(), right.edge_ids());
}

template <class Offset>
void check_conversions(coo<std::int32_t, Offset> const& edges) {
  auto const on_device = testing::convert_on_device(edges);
  auto const by_destination = to_csr(cpu{}, edges);
  auto const by_source = to_csc(cpu{}, edges);
  check_same_rows(on_device.by_destination, by_destination);
  check_same_rows(on_device.by_source, by_source);
  check_same_rows(on_device.csr_to_csc, to_csc(cpu{}, by_destination));
  check_same_rows(on_device.csc_to_csr, to_csr(cpu{}, by_source));
  check_same_pairs(on_device.csr_to_coo, to_coo(cpu{}, by_destination));
  check_same_pairs(on_device.csc_to_coo, to_coo(cpu{}, by_source));
}

TEMPLATE_TEST_CASE("device conversions give the bits of the host's", "[gpu]", std::int32_t, std::int64_t) {
  testing::skip_without_cuda_device();
  for (auto const& graph : testing::battery()) {
    CAPTURE(graph.name);
    vertex_counts const counts{.sources = graph.num_sources, .destinations = graph.num_destinations};
    check_conversions(make_coo<TestType>(counts, graph.sources, graph.destinations));
    std::vector<TestType> backwards;  // ids that are not the positions
    for (int k = graph.num_edges(); k > 0; --k) backwards.push_back(static_cast<TestType>(k - 1));
    check_conversions(make_coo<TestType>(counts, graph.sources, graph.destinations, backwards));
  }
}

TEST_CASE("device conversions of more edges than one grid has threads", "[gpu]") {
  testing::skip_without_cuda_device();
  int const num_vertices = 70001;  // 17 bits: the last radix pass is a partial one
  testing::random_stream random("convert: many edges");
  std::vector<int> sources, destinations;
  for (int k = 0; k < 20000000; ++k) {
    sources.push_back(random.below(num_vertices));
    destinations.push_back(random.below(num_vertices));
  }
  check_conversions(make_coo(vertices(num_vertices), sources, destinations));
}

TEST_CASE("the device's validate says what the host's says", "[gpu]") {
  testing::skip_without_cuda_device();
  std::vector<int> const offsets{0, 2, 3};
  std::vector<int> const neighbors{1, 0, 2};
  auto const message = [](auto const& container) {
    try {
      validate(container);
    } catch (invalid_argument const& refusal) {
      return std::string(refusal.what());
    }
    return std::string();
  };
  auto const wrong_rows = make_csr(vertices(2), offsets, neighbors, validation::off);
  CHECK_FALSE(message(wrong_rows).empty());
  CHECK(testing::validate_on_device(wrong_rows) == message(wrong_rows));
  auto const wrong_pairs = make_coo(vertices(2), neighbors, neighbors, validation::off);
  CHECK_FALSE(message(wrong_pairs).empty());
  CHECK(testing::validate_on_device(wrong_pairs) == message(wrong_pairs));

  auto const graph = testing::directed();
  auto const by_destination = to_csr(cpu{}, graph.coo());
  CHECK(testing::validate_on_device(by_destination, to_csc(cpu{}, graph.coo())).empty());
  csc<> const transposed =
      make_csc(vertices(graph.num_destinations), by_destination.offsets(), by_destination.neighbors(),
               std::span<int const>(by_destination.edge_ids().begin(), by_destination.edge_ids().end()));
  CHECK(testing::validate_on_device(by_destination, transposed).substr(0, 6) == "graph:");
}

}  // namespace
}  // namespace edgewise
