// The check must flag what a broken kernel writes: lost edges, swapped rows, unwritten or NaN elements.
#include "../spot_check.hpp"

#include <limits>

#include "support/catch.hpp"

using namespace edgewise::bench;

namespace {

double weight(std::uint64_t i) { return random_value(1, i); }
double feature(std::uint64_t i) { return random_value(2, i); }

// row 0 empty, row 1 with one edge, row 2 a hub of 10000
host_grouping hub_graph() {
  host_grouping g;
  g.num_neighbors = 10000;
  g.offsets = {0, 0, 1, 10001};
  g.neighbors.push_back(7);
  for (int i = 0; i < 10000; ++i) g.neighbors.push_back(i);
  return g;
}

// what a float kernel with one running sum would write
float float_sum(host_grouping const& g, int row, int begin_offset = 0) {
  float sum = 0;
  for (int k = g.offsets[row] + begin_offset; k < g.offsets[row + 1]; ++k) {
    sum += random_value(1, static_cast<std::uint64_t>(k)) * random_value(2, static_cast<std::uint64_t>(g.neighbors[k]));
  }
  return sum;
}

bool passes(double actual, reference_row const& row) {
  error_meter meter(0x1p-23);
  meter.add(actual, row.values[0], row.magnitudes[0], row.terms);
  return meter.passed();
}

}  // namespace

TEST_CASE("a float sum of a hub passes, one lost edge of it does not") {
  auto const g = hub_graph();
  auto const row = weighted_sum_row(g, 2, 1, weight, feature);
  REQUIRE(row.terms == 10000);
  CHECK(passes(float_sum(g, 2), row));
  int flagged = 0;
  for (int lost = 1; lost <= 20; ++lost) flagged += !passes(float_sum(g, 2, lost), row);
  CHECK(flagged >= 18);  // an edge whose term is nearly zero may go unseen
}

TEST_CASE("swapped, poisoned and NaN elements are flagged") {
  auto const g = hub_graph();
  auto const row = weighted_sum_row(g, 1, 1, weight, feature);
  CHECK(passes(float_sum(g, 1), row));
  CHECK_FALSE(passes(float_sum(g, 2), row));
  CHECK_FALSE(passes(5e33, row));
  CHECK_FALSE(passes(std::numeric_limits<double>::quiet_NaN(), row));
}

TEST_CASE("an empty row must be zero") {
  auto const row = weighted_sum_row(hub_graph(), 0, 1, weight, feature);
  CHECK(passes(0.0, row));
  CHECK_FALSE(passes(1e-30, row));
}

TEST_CASE("NaN makes the reported error infinite and later good elements do not hide it") {
  error_meter meter(0x1p-23);
  meter.add(std::numeric_limits<double>::quiet_NaN(), 1, 1, 1);
  meter.add(1, 1, 1, 1);
  meter.add(1 + 1e-9, 1, 1, 1);
  CHECK_FALSE(meter.passed());
  CHECK(meter.worst_error() == std::numeric_limits<double>::infinity());
}

TEST_CASE("the sample holds the first, last, longest and an empty row") {
  auto const rows = sampled_rows(hub_graph(), 5);
  REQUIRE(rows.size() == 9);
  CHECK(rows[0] == 0);
  CHECK(rows[1] == 2);
  CHECK(rows[2] == 2);
  CHECK(rows[3] == 0);
  for (auto row : rows) CHECK((row >= 0 && row < 3));
  host_grouping none;
  none.offsets = {0};
  CHECK(sampled_rows(none, 5).empty());
}

TEST_CASE("transposing twice restores the edges and keeps their ids") {
  auto g = hub_graph();
  auto const t = transposed(g);
  CHECK(t.num_rows() == 10000);
  CHECK(t.num_neighbors == 3);
  REQUIRE(t.offsets[8] - t.offsets[7] == 2);  // source 7 feeds rows 1 and 2
  CHECK(t.neighbors[t.offsets[7]] == 1);
  CHECK(t.edge_id(t.offsets[7]) == 0);
  CHECK(t.edge_id(t.offsets[7] + 1) == 8);
  auto const back = transposed(t);
  CHECK(back.offsets == g.offsets);
  CHECK(back.neighbors == g.neighbors);
  for (int k = 0; k < 10001; ++k) REQUIRE(back.edge_id(k) == k);
}
