#include <edgewise/mapping/recommend.hpp>

#include <cmath>

#include "support/catch.hpp"

using namespace edgewise;

namespace {

edge_workload weighted_sum(std::int64_t vertices, std::int64_t edges, int channels) {
  return {.num_destinations = vertices,
          .num_sources = vertices,
          .num_edges = edges,
          .source_bytes = 4 * channels,
          .edge_bytes = 4,
          .value_bytes = 4 * channels};
}

}  // namespace

TEST_CASE("recommend: groups where passes pay for the conversion", "[tuning]") {
  for (std::int64_t const vertices : {3000, 170000, 600000}) {
    for (std::int64_t const degree : {1, 7, 50, 500}) {
      for (int const channels : {1, 16, 64, 256}) {
        for (bool const has_gradients : {false, true}) {
          edge_workload w = weighted_sum(vertices, vertices * degree, channels);
          w.has_source_gradients = has_gradients;
          auto const r = recommend(w);
          INFO(vertices << " vertices of degree " << degree << ", " << channels << " channels, pays after "
                        << r.passes_to_pay);
          CHECK(r.conversion > 0);
          CHECK(r.grouped < r.scattered);  // edges in arbitrary order: an atomic addition each
          w.passes = r.passes_to_pay * 1.01;
          CHECK(recommend(w).groups);
          w.passes = r.passes_to_pay * 0.99;
          CHECK_FALSE(recommend(w).groups);
          // The whole bill agrees with the answer.
          CHECK(r.conversion + 100 * r.passes_to_pay * r.grouped < 100 * r.passes_to_pay * r.scattered);
        }
      }
    }
  }
}

TEST_CASE("recommend: wide rows pay sooner, edges in order of their destinations later", "[tuning]") {
  double previous = std::numeric_limits<double>::infinity();
  for (int const channels : {8, 16, 32, 64, 128, 256}) {
    edge_workload w = weighted_sum(600000, 30000000, channels);
    double const pays = recommend(w).passes_to_pay;
    CHECK(pays < previous);
    w.order = coo_order::by_destination;
    CHECK(recommend(w).passes_to_pay > pays);
    previous = pays;
  }
  edge_workload ordered = weighted_sum(600000, 30000000, 64);
  ordered.order = coo_order::by_destination;
  ordered.has_source_gradients = true;  // whose atomic additions find no runs
  CHECK(recommend(ordered).passes_to_pay < 10);
}

TEST_CASE("recommend: graphs without edges or vertices", "[tuning]") {
  for (edge_workload const& w : {edge_workload{}, weighted_sum(1000, 0, 8)}) {
    auto const r = recommend(w);
    CHECK(std::isfinite(r.conversion));
    CHECK(r.conversion > 0);
    CHECK_FALSE(r.groups);  // nothing to save in one pass
  }
}

TEST_CASE("recommend: within a factor of two of what was measured", "[tuning]") {
  // H200 2026-11, bench_conversion, 64 channels, edges in arbitrary order: passes after which grouping and the plan had
  // paid, forward alone and with the gradient of the features.
  struct measured {
    std::int64_t vertices, edges;
    double forward, step;
  };
  for (measured const& m : {measured{2708, 10556, 30.9, 17.1}, measured{169343, 1166243, 2.17, 1.96},
                            measured{600000, 30000000, 0.49, 0.49}, measured{232965, 114615892, 0.56, 0.61},
                            measured{142257, 279061, 5.86, 4.10}, measured{46563, 21461990, 0.98, 0.97}}) {
    edge_workload w = weighted_sum(m.vertices, m.edges, 64);
    INFO(m.edges << " edges");
    CHECK(recommend(w).passes_to_pay < 2 * m.forward);
    CHECK(recommend(w).passes_to_pay > m.forward / 2);
    w.has_source_gradients = true;
    CHECK(recommend(w).passes_to_pay < 2 * m.step);
    CHECK(recommend(w).passes_to_pay > m.step / 2);
  }
}

TEST_CASE("recommend: on a CPU the first pass pays for the grouping, of single numbers the second", "[tuning]") {
  for (std::int64_t const vertices : {3000, 600000}) {
    for (std::int64_t const degree : {1, 5, 50}) {
      CHECK(recommend(cpu{}, weighted_sum(vertices, vertices * degree, 1)).passes_to_pay < 2);
      for (int const channels : {4, 16, 64, 256}) {
        edge_workload w = weighted_sum(vertices, vertices * degree, channels);
        CHECK(recommend(cpu{}, w).groups);
        w.has_source_gradients = true;
        CHECK(recommend(cpu{}, w).groups);
      }
    }
  }
  edge_workload const w = weighted_sum(3000, 9000, 16);
  CHECK(recommend(cuda{}, w).passes_to_pay == recommend(w).passes_to_pay);
}
