#include "softmax_sum.hpp"

#include "support/catch.hpp"

#include "../support/graphs.hpp"

namespace {

using namespace edgewise::reference;
using edgewise::testing::battery;
using edgewise::testing::compare;
using edgewise::testing::make_test_graph;
using edgewise::testing::uniform_values;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Row 0 has edges 1 and 2, row 1 none, row 2 edge 0; one head, one channel.
softmax_gathered softmax_edges(std::vector<double> const& scores, std::vector<double> const& values) {
  auto const graph = make_test_graph("example", 2, 3, {{1, 2}, {0, 0}, {1, 0}});
  return reference_softmax_sum(
      graph, 1, 1, [&](int, int, int edge, int) { return scores[edge]; },
      [&](int, int, int edge, int, int) { return values[edge]; });
}

}  // namespace

TEST_CASE("reference softmax sum: numbers done by hand", "[reference]") {
  auto const result = softmax_edges({7, std::log(1.0), std::log(3.0)}, {5, 8, -4});
  CHECK(result.out.value[0] == Approx(0.25 * 8 - 0.75 * 4));
  CHECK(result.out.value[1] == 0);
  CHECK(result.out.value[2] == 5);
  CHECK(result.probability.value[0] == 1);
  CHECK(result.probability.value[1] == Approx(0.25));
  CHECK(result.probability.value[2] == Approx(0.75));
  CHECK(result.lse.value[0] == Approx(std::log(4.0)));
  CHECK(result.lse.value[1] == -infinity);
  CHECK(result.lse.value[2] == Approx(7));
}

TEST_CASE("reference softmax sum: large scores do not overflow", "[reference]") {
  auto const result = softmax_edges({-5000, 5000, 5000 + std::log(3.0)}, {5, 8, -4});
  CHECK(result.out.value[0] == Approx(-1));
  CHECK(result.out.value[2] == 5);
  CHECK(result.lse.value[0] == Approx(5000 + std::log(4.0)));
}

TEST_CASE("reference softmax sum: -inf masks, NaN and +inf spoil their own row", "[reference]") {
  auto const nan_value = std::numeric_limits<double>::quiet_NaN();
  auto const masked = softmax_edges({1, -infinity, 2}, {5, infinity, -4});
  CHECK(masked.out.value[0] == -4);
  CHECK(masked.probability.value[1] == 0);
  auto const all_masked = softmax_edges({1, -infinity, -infinity}, {5, nan_value, -4});
  CHECK(all_masked.out.value[0] == 0);
  CHECK(all_masked.lse.value[0] == -infinity);
  CHECK(all_masked.probability.value[2] == 0);
  CHECK(all_masked.out.value[2] == 5);
  for (double bad : {nan_value, infinity}) {
    auto const spoilt = softmax_edges({1, bad, 2}, {5, 8, -4});
    CHECK(std::isnan(spoilt.out.value[0]));
    CHECK(std::isnan(spoilt.probability.value[2]));
    CHECK(spoilt.out.value[2] == 5);
  }
}

TEST_CASE("reference softmax sum: probabilities of a row add up to one, and agree with a gather", "[reference]") {
  edgewise::testing::random_stream random("reference softmax sum");
  int const heads = 2, channels = 3;
  for (auto const& graph : battery()) {
    INFO(graph.name);
    auto const scores = uniform_values<double>(graph.num_edges() * heads, random, -4, 4);
    auto const values = uniform_values<double>(graph.num_sources * heads * channels, random);
    auto score = [&](int, int, int edge, int head) { return scores[edge * heads + head]; };
    auto value = [&](int source, int, int, int head, int channel) {
      return values[(source * heads + head) * channels + channel];
    };
    auto const result = reference_softmax_sum(graph, heads, channels, score, value);

    auto probability = [&](int, int, int edge, int head, int) { return result.probability.value[edge * heads + head]; };
    auto const totals = reference_gather(graph, gather_kind::sum, heads, 1, probability).out;
    for (std::size_t i = 0; i < totals.size(); ++i) {
      CHECK(totals.value[i] == (graph.by_destination.degree(static_cast<int>(i) / heads) > 0 ? Approx(1) : Approx(0)));
    }
    auto message = [&](int source, int v, int edge, int head, int channel) {
      double const unnormalised = std::exp(score(source, v, edge, head));
      return unnormalised / std::exp(result.lse.value[v * heads + head]) * value(source, v, edge, head, channel);
    };
    auto const weighted = reference_gather(graph, gather_kind::sum, heads, channels, message).out;
    CHECK(compare(weighted.value, result.out));
  }
}

TEST_CASE("reference softmax sum: its tolerance accepts float and flags a missing edge", "[reference]") {
  edgewise::testing::random_stream random("reference softmax sum: float");
  for (auto const& graph : battery()) {
    INFO(graph.name);
    auto const scores = uniform_values<float>(graph.num_edges(), random, -2, 2);
    auto const values = uniform_values<float>(graph.num_edges(), random, 1, 2);
    auto const expected = reference_softmax_sum(
        graph, 1, 1, [&](int, int, int edge, int) { return double{scores[edge]}; },
        [&](int, int, int edge, int, int) { return double{values[edge]}; });
    auto in_float = [&](float missing) {
      std::vector<float> out;
      auto const& rows = graph.by_destination;
      for (int v = 0; v < graph.num_destinations; ++v) {
        float total = 0, weighted = 0;
        for (int k = rows.offsets[v]; k < rows.offsets[v + 1]; ++k) {
          float const e = std::exp(scores[rows.edge_ids[k]]);
          total += e;
          weighted += e * values[rows.edge_ids[k]];
          if (k == rows.offsets[v]) weighted -= missing * e * values[rows.edge_ids[k]];
        }
        out.push_back(total > 0 ? weighted / total : 0);
      }
      return out;
    };
    CHECK(compare(in_float(0), expected.out));
    std::size_t rows_with_edges = 0;
    for (int v = 0; v < graph.num_destinations; ++v) rows_with_edges += graph.by_destination.degree(v) > 0;
    // A hub's single edge may weigh too little to be seen; everywhere else it must be.
    CHECK(compare(in_float(1), expected.out).num_bad + 1 >= rows_with_edges);
  }
}
