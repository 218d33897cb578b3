// How often caches miss the rows that edges read.
#include <edgewise/schedule/row_reuse.hpp>

#include <vector>

#include "support/catch.hpp"
#include "support/graphs.hpp"
#include "support/random.hpp"

using namespace edgewise;
using namespace edgewise::testing;
using edgewise::detail::row_reuse;

namespace {

/// `degree` edges into each of `rows` rows, of which number k reads row of(k).
template <class F>
row_reuse reuse_of(int rows, int degree, F const& of, int first = 0) {
  std::vector<int> offsets, neighbors(static_cast<std::size_t>(first), 0);
  for (int row = 0; row <= rows; ++row) offsets.push_back(first + row * degree);
  for (int k = 0; k < rows * degree; ++k) neighbors.push_back(of(k));
  return row_reuse(grouping_view<int, int>{.offsets = offsets.data(),
                                           .neighbors = neighbors.data(),
                                           .edge_ids = nullptr,
                                           .num_rows = rows,
                                           .num_neighbors = rows,
                                           .num_edges = rows * degree});
}

}  // namespace

TEST_CASE("row reuse: rows drawn anywhere are there as often as the cache is large", "[schedule]") {
  random_stream random("row reuse");
  for (int const first : {0, 100}) {
    row_reuse const reuse = reuse_of(
        4096, 40, [&](int) { return random.below(4096); }, first);
    CHECK(reuse.misses(512) == Approx(0.875).margin(0.02));
    CHECK(reuse.misses(1024) == Approx(0.75).margin(0.03));
    CHECK(reuse.misses(1023) == reuse.misses(512));
    CHECK(reuse.misses(1 << 20) == Approx(1 / 40.).margin(0.01));  // each was read a first time
    CHECK(reuse.misses(1) == reuse.misses(512));
  }
}

TEST_CASE("row reuse: rows read one after another are there, or never", "[schedule]") {
  CHECK(reuse_of(4096, 16, [](int k) { return k / 16; }).misses(512) == Approx(1 / 16.).margin(0.01));
  CHECK(reuse_of(4096, 16, [](int k) { return k % 4096; }).misses(2048) == Approx(1.));
}

TEST_CASE("row reuse: many edges are looked at in windows", "[schedule]") {
  random_stream random("row reuse");
  row_reuse const reuse = reuse_of(1 << 14, 128, [&](int) { return random.below(1 << 14); });
  CHECK(reuse.misses(1 << 13) == Approx(0.5).margin(0.05));
}

TEST_CASE("row reuse: nothing is looked at where copies cannot pay", "[schedule]") {
  CHECK(reuse_of(4096, 4, [](int) { return 0; }).misses(512) == 1);
  CHECK(reuse_of(0, 4, [](int) { return 0; }).misses(512) == 1);
  CHECK(row_reuse().misses(512) == 1);
}
