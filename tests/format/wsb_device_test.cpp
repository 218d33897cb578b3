// Window-sorted blocks made on a device: the bytes of the host's.
#include "wsb_device.hpp"

#include <algorithm>
#include <vector>

#include <edgewise/format/convert.hpp>
#include <edgewise/format/make.hpp>
#include <edgewise/format/validate_wsb.hpp>

#include "support/catch.hpp"

#include "../support/device.hpp"
#include "../support/graphs.hpp"

namespace edgewise {
namespace {

template <class T>
void check_same(char const* array, host_buffer<T> const& left, host_buffer<T> const& right) {
  INFO(array);
  REQUIRE(left.size() == right.size());
  CHECK(std::equal(left.begin(), left.end(), right.begin()));
}

template <class Rows>
void check_same(wsb<Rows> const& left, wsb<Rows> const& right) {
  CHECK(left.counts() == right.counts());
  check_same("offsets", left.rows().offsets(), right.rows().offsets());
  check_same("neighbors", left.rows().neighbors(), right.rows().neighbors());
  check_same("edge_ids", left.rows().edge_ids(), right.rows().edge_ids());
  check_same("window_tiles", left.window_tiles(), right.window_tiles());
  check_same("columns", left.columns(), right.columns());
  check_same("masks", left.masks(), right.masks());
}

template <class Rows>
void check_rows(Rows const& rows) {
  for (double const least_reuse : {0.0, 1.3}) {
    wsb_options const options{.least_reuse = least_reuse};
    auto const made = testing::to_wsb_on_device(rows, options);
    validate(made);
    check_same(made, to_wsb(cpu{}, rows, options));
  }
}

TEST_CASE("wsb on a device: the bytes of the host's, on the battery", "[format][gpu]") {
  testing::skip_without_cuda_device();
  for (auto const& graph : testing::battery()) {
    INFO(graph.name);
    check_rows(to_csr(cpu{}, graph.coo()));  // rows by ascending id, which are not sorted
    check_rows(to_csc(cpu{}, graph.coo()));
    check_rows(to_csr(cpu{}, to_csc(cpu{}, graph.coo())));  // rows by ascending source
    auto const rows = graph.by_destination.with_offsets<long>();
    check_rows(make_csr({.sources = graph.num_sources, .destinations = graph.num_destinations}, rows.offsets,
                        rows.neighbors, rows.edge_ids));
  }
}

TEST_CASE("wsb on a device: without ids, without anything, and copied", "[format][gpu]") {
  testing::skip_without_cuda_device();
  std::vector<int> const offsets{0, 2, 2, 3};
  std::vector<int> const neighbors{0, 2, 1};
  auto const rows = make_csr({.sources = 3, .destinations = 3}, offsets, neighbors);
  check_rows(rows);
  check_rows(csr<int, int>());
  auto const made = to_wsb(cpu{}, rows);
  check_same(testing::copied_to_device(made), made);
  check_same(testing::copied_to_device(wsb<csr<int, int>>()), wsb<csr<int, int>>());
}

TEST_CASE("wsb on a device: many edges, most of them several times", "[format][gpu]") {
  testing::skip_without_cuda_device();
  testing::random_stream random("wsb: many edges");
  int const num_vertices = 5000;
  std::vector<int> sources, destinations;
  for (int k = 0; k < 400000; ++k) {
    int const u = random.below(num_vertices);
    sources.push_back(u);
    destinations.push_back((u + random.below(40)) % num_vertices);
  }
  check_rows(to_csr(cpu{}, make_coo(vertices(num_vertices), sources, destinations)));
}

}  // namespace
}  // namespace edgewise
