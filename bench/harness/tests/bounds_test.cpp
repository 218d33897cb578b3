// Times at the ceilings, against sums made by hand.
#include "../bounds.hpp"

#include "support/catch.hpp"

using namespace edgewise;
using namespace edgewise::bench;

namespace {

// 10 rows of 8 bytes, 100 edges of 4 bytes that gather 32 bytes from 20 neighbors, 1000 bytes of indices
plan_cost some_cost() {
  traversal_cost t;
  t.name = "forward";
  t.rows = 10;
  t.neighbors = 20;
  t.edges = 100;
  t.index_bytes = 1000;
  t.row_bytes = 8;
  t.edge_bytes = 4;
  t.gathered_bytes = 32;
  t.row_flops = 5;
  t.edge_flops = 7;
  return {.traversals = {t}};
}
constexpr double streamed = 1000 + 80 + 400, gathered = 3200, once = 640;

}  // namespace

TEST_CASE("bounds: floor, gather and roofline", "[bench]") {
  std::int64_t asked_rows = 0, asked_bytes = 0;
  ceilings const machine{.copy_bandwidth = 1e6, .flops = 1e9, .gather = [&](std::int64_t rows, std::int64_t bytes) {
                           asked_rows = rows;
                           asked_bytes = bytes;
                           return 4e6;
                         }};
  time_bounds const b = bounds_of(some_cost(), machine);
  CHECK(b.floor_ms == Approx((streamed + once) / 1e3));
  CHECK(b.gather_ms == Approx(streamed / 1e3 + gathered / 4e3));
  CHECK(b.roofline_ms == Approx(b.floor_ms));
  CHECK(asked_rows == 20);
  CHECK(asked_bytes == 32);
  REQUIRE(b.traversals.size() == 1);
  CHECK(b.traversals[0].table_bytes == 640);
  CHECK(b.traversals[0].flops == 750);
  CHECK(b.traversals[0].gather_bandwidth == 4e6);

  ceilings slow = machine;
  slow.flops = 1000;
  CHECK(bounds_of(some_cost(), slow).roofline_ms == Approx(750));
}

TEST_CASE("bounds: what is not measured bounds nothing", "[bench]") {
  time_bounds const b = bounds_of(some_cost(), {.copy_bandwidth = 1e6, .flops = 0, .gather = {}});
  CHECK(b.gather_ms == 0);
  CHECK(b.roofline_ms == b.floor_ms);
}

TEST_CASE("bounds: launches add up", "[bench]") {
  plan_cost twice = some_cost();
  twice.traversals.push_back(twice.traversals[0]);
  ceilings const machine{.copy_bandwidth = 1e6, .flops = 1, .gather = [](std::int64_t, std::int64_t) { return 4e6; }};
  CHECK(bounds_of(twice, machine).gather_ms == Approx(2 * bounds_of(some_cost(), machine).gather_ms));
  CHECK(bounds_of(twice, machine).roofline_ms == Approx(1500e3));
}
