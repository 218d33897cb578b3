#include "models/nearest_neighbors.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include <edgewise/format/validate.hpp>

#include "support/catch.hpp"

#include "host_matrix.hpp"

namespace edgewise::testing {
namespace {

using neighbors_type = models::nearest_neighbors<double, host_context>;

TEST_CASE("the nearest points are those of a sort by distance, then by index", "[models]") {
  host_context const context;
  // Of 40, 0, 5, 1 and 30 points; on a small grid, so that many distances are equal and points coincide.
  std::vector<std::int32_t> const offsets{0, 40, 40, 45, 46, 76};
  random_stream random("nearest");
  std::vector<double> points;
  for (int i = 0; i < 76 * 3; ++i) points.push_back(random.below(4));
  auto const x = make_host_matrix<double>(context, 76, 3, points);
  for (std::int32_t k : {1, 6, 33}) {
    INFO("k = " << k);
    neighbors_type nearest(context, offsets, k);
    nearest.update(context, x.view());
    auto const rows = nearest.view();
    validate(rows);
    REQUIRE(rows.num_rows == 76);
    for (std::size_t c = 0; c + 1 < offsets.size(); ++c) {
      for (std::int32_t v = offsets[c]; v < offsets[c + 1]; ++v) {
        std::vector<std::pair<double, std::int32_t>> expected;
        for (std::int32_t u = offsets[c]; u < offsets[c + 1]; ++u) {
          double square = 0;
          for (int i = 0; i < 3; ++i)
            square += (points[u * 3 + i] - points[v * 3 + i]) * (points[u * 3 + i] - points[v * 3 + i]);
          expected.emplace_back(square, u);
        }
        std::sort(expected.begin(), expected.end());
        std::int32_t const count = std::min<std::int32_t>(k, offsets[c + 1] - offsets[c]);
        REQUIRE(rows.offsets[v + 1] - rows.offsets[v] == count);
        for (std::int32_t i = 0; i < count; ++i) {
          CHECK(rows.neighbors[rows.offsets[v] + i] == expected[static_cast<std::size_t>(i)].second);
          CHECK(nearest.distances()[rows.offsets[v] + i] == expected[static_cast<std::size_t>(i)].first);
        }
      }
    }
  }
}

TEST_CASE("neighbors of no points, and what is refused", "[models]") {
  host_context const context;
  std::vector<std::int32_t> const none{0}, empty{0, 0, 0}, falling{0, 3, 2}, late{1, 2};
  CHECK(neighbors_type(context, none, 3).num_points() == 0);
  neighbors_type nearest(context, empty, 3);
  nearest.update(context, make_host_matrix<double>(context, 0, 3, {}).view());
  CHECK(nearest.num_edges() == 0);
  CHECK_THROWS_WITH(neighbors_type(context, empty, 0), "nearest_neighbors: k = 0 must be at least 1");
  for (auto const& offsets : {falling, late, std::vector<std::int32_t>()}) {
    CHECK_THROWS_WITH(neighbors_type(context, offsets, 2),
                      "nearest_neighbors: cloud_offsets must begin with 0 and never fall");
  }
  auto const x = make_host_matrix<double>(context, 2, 3, std::vector<double>(6));
  CHECK_THROWS_WITH(nearest.update(context, x.view()), "nearest_neighbors: x is [2, 3], expected [0, 3]");
}

}  // namespace
}  // namespace edgewise::testing
