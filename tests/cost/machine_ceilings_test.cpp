// Times at ceilings against those of the benchmark, and against sums made by hand.
#include <edgewise/cost/machine_ceilings.hpp>

#include "support/catch.hpp"

#include <edgewise/edgewise.hpp>

using namespace edgewise;

namespace {

struct h;
struct w;

/// An H200 (bench_spmm, 2026-11-22), with the gathers of rows of 128 bytes from 22 MB and of 1024
/// bytes from 173 MB.
constexpr machine_ceilings h200{.copy = 4041221677547.6704,
                                .gather_from_memory = 5481541091868.762,
                                .gather_from_cache = 9445614099419.389,
                                .cache_bytes = 62914560,
                                .flops = 58966564616147.734};

/// A weighted sum over ogbn-arxiv; costs do not look at arrays.
plan_cost arxiv_cost(int channels) {
  static float element = 0;
  constexpr std::int64_t V = 169343, E = 1166243;
  csr_view<> const edges{{.offsets = nullptr,
                          .neighbors = nullptr,
                          .edge_ids = nullptr,
                          .num_rows = V,
                          .num_neighbors = V,
                          .num_edges = E}};
  auto const in = bindings(bind<h>(wide(&element, V, channels)), bind<w>(per_row(&element, E)));
  return fuse(graph{edges}, automatic{}, gather<sum>(edge<w> * src<h>))
      .forward_cost(in, out(wide(&element, V, channels)));
}

plan_cost cost_of(traversal_cost const& t) { return {.traversals = {t}}; }

}  // namespace

TEST_CASE("ceilings: the times of a benchmark's cells", "[cost]") {
  pass_bounds const narrow = bounds_on(h200, arxiv_cost(32));
  CHECK(narrow.floor_ms == Approx(0.013203712208230026));
  CHECK(narrow.gather_ms == Approx(0.023644076903585075));
  CHECK(narrow.flops_ms == Approx(74639552 / 58966564616147.734 * 1e3));
  CHECK(narrow.roofline_ms() == narrow.floor_ms);
  CHECK_FALSE(narrow.is_bound_by_flops());
  pass_bounds const wide_rows = bounds_on(h200, arxiv_cost(256));
  CHECK(wide_rows.floor_ms == Approx(0.08829552359932151));
  CHECK(wide_rows.gather_ms == Approx(0.2632503482756387));
  CHECK(wide_rows.roofline_ms() == Approx(0.08829552359932151));
}

TEST_CASE("ceilings: what is not known bounds nothing", "[cost]") {
  traversal_cost const walk{.name = "walk",
                            .rows = 10,
                            .neighbors = 5,
                            .edges = 100,
                            .row_bytes = 10,
                            .gathered_bytes = 4,
                            .row_flops = 1000};
  // 100 bytes streamed, 400 gathered from 20, of which 20 are compulsory; 10000 flops
  pass_bounds const copied = bounds_on({.copy = 1000}, cost_of(walk));
  CHECK(copied.floor_ms == Approx(120));
  CHECK(copied.gather_ms == 0);
  CHECK(copied.flops_ms == 0);
  CHECK(copied.roofline_ms() == Approx(120));
  pass_bounds const all =
      bounds_on({.copy = 1000, .gather_from_memory = 500, .gather_from_cache = 2000, .cache_bytes = 20, .flops = 1e4},
                cost_of(walk));
  CHECK(all.gather_ms == Approx(100 + 200));
  CHECK(all.flops_ms == Approx(1000));
  CHECK(all.roofline_ms() == Approx(1000));
  CHECK(all.is_bound_by_flops());
  pass_bounds const uncached =
      bounds_on({.copy = 1000, .gather_from_memory = 500, .gather_from_cache = 2000, .cache_bytes = 19}, cost_of(walk));
  CHECK(uncached.gather_ms == Approx(100 + 800));
  CHECK_THROWS_AS(bounds_on({.flops = 1e4}, cost_of(walk)), invalid_argument);
}
