#include "gather.hpp"

#include <limits>

#include "support/catch.hpp"

#include "../support/graphs.hpp"

namespace {

using namespace edgewise::reference;
using edgewise::testing::battery;
using edgewise::testing::compare;
using edgewise::testing::make_test_graph;

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

/// Row 0 has edges 1, 2, 4 (from sources 2, 0, 2), row 1 none, row 2 edges 0 and 3.
test_graph example() { return make_test_graph("example", 3, 3, {{1, 2}, {2, 0}, {0, 0}, {0, 2}, {2, 0}}); }

/// The gather of one number per edge.
gathered gather_edges(gather_kind kind, std::vector<double> const& edge_values, double epsilon = 0) {
  auto message = [&](int, int, int edge, int, int) { return edge_values[edge]; };
  return reference_gather(example(), kind, 1, 1, message, epsilon);
}

}  // namespace

TEST_CASE("reference gather: numbers done by hand", "[reference]") {
  std::vector<double> const values{10, 3, -1, -20, 3};  // row 0: 3 -1 3, row 2: 10 -20
  using numbers = std::vector<double>;
  CHECK(gather_edges(gather_kind::sum, values).out.value == numbers{5, 0, -10});
  CHECK(gather_edges(gather_kind::sum, values).out.scale == numbers{7, 0, 30});
  CHECK(gather_edges(gather_kind::sum, values).out.terms == numbers{3, 0, 2});
  CHECK(gather_edges(gather_kind::mean, values).out.value == numbers{5.0 / 3, 0, -5});
  CHECK(gather_edges(gather_kind::max, values).out.value == numbers{3, 0, 10});
  CHECK(gather_edges(gather_kind::min, values).out.value == numbers{-1, 0, -20});
  CHECK(gather_edges(gather_kind::prod, values).out.value == numbers{-9, 0, -200});

  auto const deviation = gather_edges(gather_kind::stddev, values).out.value;
  CHECK(deviation[0] == Approx(std::sqrt(32.0 / 9)));  // mean 5/3: (16 + 64 + 16) / 9 / 3
  CHECK(deviation[1] == 0);
  CHECK(deviation[2] == Approx(15));
  CHECK(gather_edges(gather_kind::stddev, values, 31.0).out.value[2] == Approx(16));  // epsilon is under the root
  CHECK(gather_edges(gather_kind::stddev, {7, 5, 5, 7, 5}, 1e-4).out.value[0] == Approx(1e-2));
}

TEST_CASE("reference gather: arguments are the first edge of the row on ties", "[reference]") {
  std::vector<double> const values{10, 3, -1, -20, 3};
  using ids = std::vector<std::int64_t>;
  auto const greatest = gather_edges(gather_kind::max, values);
  CHECK(greatest.argument_position == ids{0, -1, 3});
  CHECK(greatest.argument_edge == ids{1, -1, 0});
  auto const least = gather_edges(gather_kind::min, values);
  CHECK(least.argument_position == ids{1, -1, 4});
  CHECK(least.argument_edge == ids{2, -1, 3});
  CHECK(gather_edges(gather_kind::min, {0, 5, 5, 0, 5}).argument_edge == ids{1, -1, 0});
  CHECK(gather_edges(gather_kind::sum, values).argument_edge.empty());
}

TEST_CASE("reference gather: NaN reaches its own row and no other", "[reference]") {
  std::vector<double> const values{10, 3, nan_value, -20, 9};
  for (auto kind : {gather_kind::sum, gather_kind::mean, gather_kind::max, gather_kind::min, gather_kind::prod,
                    gather_kind::stddev}) {
    INFO(name_of(kind));
    auto const result = gather_edges(kind, values);
    CHECK(std::isnan(result.out.value[0]));
    CHECK(std::isfinite(result.out.value[1]));
    CHECK(std::isfinite(result.out.value[2]));
  }
  CHECK(gather_edges(gather_kind::max, values).argument_edge[0] == 2);
  CHECK(gather_edges(gather_kind::min, values).argument_edge[0] == 2);
}

TEST_CASE("reference gather: heads, channels and the two endpoints are told apart", "[reference]") {
  auto message = [](int source, int destination, int edge, int head, int channel) {
    return 10000.0 * source + 1000 * destination + 100 * edge + 10 * head + channel;
  };
  auto const result = reference_gather(example(), gather_kind::sum, 2, 3, message);
  REQUIRE(result.out.size() == 3 * 2 * 3);
  CHECK(result.out.row_size == 6);
  // Row 2 = edge 0 (from 1) + edge 3 (from 0), at head 1, channel 2.
  CHECK(result.out.value[2 * 6 + 1 * 3 + 2] == (10000 + 2000 + 0 + 12) + (0 + 2000 + 300 + 12));
}

TEST_CASE("reference gather: its tolerance accepts float and flags a missing edge", "[reference]") {
  edgewise::testing::random_stream random("reference gather: float");
  auto const kind =
      GENERATE(gather_kind::sum, gather_kind::mean, gather_kind::max, gather_kind::min, gather_kind::stddev);
  for (auto const& graph : battery()) {
    INFO(graph.name << ' ' << name_of(kind));
    auto const x = edgewise::testing::uniform_values<float>(graph.num_edges(), random, 0.5, 1);
    auto message = [&](int, int, int edge, int, int) { return double{x[edge]}; };
    auto const expected = reference_gather(graph, kind, 1, 1, message);

    auto in_float = [&](int skipped_edges) {
      std::vector<float> out;
      auto const& rows = graph.by_destination;
      for (int v = 0; v < graph.num_destinations; ++v) {
        float sum = 0, greatest = 0, least = 2;
        double square = 0;  // the spread in double: this test judges the tolerance, not a float algorithm
        int const end = rows.offsets[v + 1] - skipped_edges;
        for (int k = rows.offsets[v]; k < end; ++k) {
          float const value = x[rows.edge_ids[k]];
          sum += value;
          greatest = std::max(greatest, value);
          least = std::min(least, value);
        }
        int const count = end - rows.offsets[v];
        float const mean = count > 0 ? sum / static_cast<float>(count) : 0.0f;
        for (int k = rows.offsets[v]; k < end; ++k) square += std::pow(x[rows.edge_ids[k]] - double{mean}, 2) / count;
        float result = sum;
        if (kind == gather_kind::mean) result = mean;
        if (kind == gather_kind::max) result = greatest;
        if (kind == gather_kind::min) result = least;
        if (kind == gather_kind::stddev) result = static_cast<float>(std::sqrt(square + 1e-5));
        out.push_back(count > 0 ? result : 0);
      }
      return out;
    };
    CHECK(compare(in_float(0), expected.out));
    if (kind == gather_kind::sum && graph.num_edges() > 0) {
      std::size_t rows_with_edges = 0;
      for (int v = 0; v < graph.num_destinations; ++v) rows_with_edges += graph.by_destination.degree(v) > 0;
      CHECK(compare(in_float(1), expected.out).num_bad == rows_with_edges);
    }
  }
}
