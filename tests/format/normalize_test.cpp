#include <edgewise/format/normalize.hpp>

#include <cmath>
#include <limits>
#include <vector>

#include "support/catch.hpp"

#include <edgewise/format/convert.hpp>

#include "edges.hpp"
#include "message.hpp"

namespace edgewise {
namespace {

using testing::test_graph;

std::vector<double> weights_of(test_graph const& graph) {
  testing::random_stream random("normalize: " + graph.name);
  std::vector<double> weights;
  for (int e = 0; e < graph.num_edges(); ++e) weights.push_back(0.1 + random.uniform());
  return weights;
}

/// The formula, edge by edge, from degrees counted over the edge list.
std::vector<double> expected_edges(test_graph const& graph, normalize_options options,
                                   std::vector<double> const& weights) {
  double const extra = options.self_loop == virtual_self_loop::present ? 1 : 0;
  std::vector<double> in(static_cast<std::size_t>(graph.num_destinations), extra);
  std::vector<double> out(static_cast<std::size_t>(graph.num_sources), extra);
  for (int e = 0; e < graph.num_edges(); ++e) {
    in[graph.destinations[e]] += weights[e];
    out[graph.sources[e]] += weights[e];
  }
  std::vector<double> scaled;
  for (int e = 0; e < graph.num_edges(); ++e) {
    double const d_in = in[graph.destinations[e]];
    double const d_out = out[graph.sources[e]];
    switch (options.mode) {
      case normalization::none:
        scaled.push_back(weights[e]);
        break;
      case normalization::left:
        scaled.push_back(weights[e] / d_in);
        break;
      case normalization::right:
        scaled.push_back(weights[e] / d_out);
        break;
      case normalization::both:
        scaled.push_back(weights[e] / std::sqrt(d_in * d_out));
        break;
    }
  }
  return scaled;
}

template <class Real>
void check_close(host_buffer<Real> const& values, std::vector<double> const& expected) {
  REQUIRE(values.size() == expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) {
    REQUIRE(static_cast<double>(values[k]) ==
            Approx(expected[k]).epsilon(8 * static_cast<double>(std::numeric_limits<Real>::epsilon())));
  }
}

constexpr normalization modes[] = {normalization::none, normalization::left, normalization::right, normalization::both};
constexpr virtual_self_loop loops[] = {virtual_self_loop::absent, virtual_self_loop::present};

TEST_CASE("edges are scaled by the formula of the mode") {
  for (auto const& graph : testing::battery()) {
    CAPTURE(graph.name);
    auto const weights = weights_of(graph);
    std::vector<double> const ones(weights.size(), 1.0);
    std::vector<float> const narrow(weights.begin(), weights.end());
    std::vector<double> const widened(narrow.begin(), narrow.end());
    for (auto mode : modes) {
      for (auto self_loop : loops) {
        if (self_loop == virtual_self_loop::present && !graph.is_square()) continue;
        normalize_options const options{.mode = mode, .self_loop = self_loop};
        check_close(normalize_edges<double>(cpu{}, graph.csr(), options, weights.data()),
                    expected_edges(graph, options, weights));
        check_close(normalize_edges<double>(cpu{}, graph.csc(), options), expected_edges(graph, options, ones));
        check_close(normalize_edges(cpu{}, graph.coo(), options, narrow.data()),
                    expected_edges(graph, options, widened));
      }
    }
  }
}

TEST_CASE("directed and bipartite graphs are scaled by hand-computed factors") {
  // 0 -> 0, 1 -> 0, 2 -> 0, 2 -> 1; destination 2 and source 3 have no edges.
  auto const graph = testing::make_test_graph("by hand", 4, 3, {{0, 0}, {1, 0}, {2, 0}, {2, 1}});
  auto const both = normalize_vertices<double>(cpu{}, graph.csr());
  std::vector<double> const source{1, 1, std::sqrt(0.5), 0};
  std::vector<double> const destination{std::sqrt(1 / 3.0), 1, 0};
  check_close(both.source, source);
  check_close(both.destination, destination);

  auto const left = normalize_vertices<double>(cpu{}, graph.csr(), {.mode = normalization::left});
  check_close(left.source, {1, 1, 1, 1});
  check_close(left.destination, {1 / 3.0, 1, 0});
  auto const right = normalize_vertices<double>(cpu{}, graph.csr(), {.mode = normalization::right});
  check_close(right.source, {1, 1, 0.5, 0});
  check_close(right.destination, {1, 1, 1});

  std::vector<double> const weights{1, 2, 4, 8};
  auto const weighted = normalize_vertices<double>(cpu{}, graph.coo(), {.mode = normalization::left}, weights.data());
  check_close(weighted.destination, {1 / 7.0, 1 / 8.0, 0});
}

TEST_CASE("rows of a left-normalised adjacency sum to 1, with the self loop") {
  auto const graph = testing::random_skewed();
  normalize_options const options{.mode = normalization::left, .self_loop = virtual_self_loop::present};
  auto const weights = weights_of(graph);
  auto const rows = to_csr(cpu{}, graph.coo());
  auto const factors = normalize_vertices<double>(cpu{}, rows, options, weights.data());
  auto const scaled = normalize_edges<double>(cpu{}, edgewise::graph{rows}, options, weights.data());
  std::vector<double> sums;
  for (int v = 0; v < graph.num_destinations; ++v) sums.push_back(factors.source[v] * factors.destination[v]);
  for (int e = 0; e < graph.num_edges(); ++e) sums[graph.destinations[e]] += scaled[e];
  for (double sum : sums) CHECK(sum == Approx(1).epsilon(1e-12));
}

TEST_CASE("degrees that are not positive give 0") {
  auto const graph = testing::make_test_graph("signed weights", 2, 2, {{0, 0}, {1, 0}, {0, 1}});
  std::vector<float> const weights{1, -1, -2};
  for (auto mode : {normalization::left, normalization::both}) {
    auto const factors = normalize_vertices(cpu{}, graph.csr(), {.mode = mode}, weights.data());
    CHECK(factors.destination[0] == 0);
    CHECK(factors.destination[1] == 0);
  }
}

TEMPLATE_TEST_CASE("degrees that are denormal scale like others", "", float, double) {
  auto const graph = testing::random_skewed();
  std::vector<double> aggregations;
  std::vector<TestType> weights;
  for (int e = 0; e < graph.num_edges(); ++e) {
    aggregations.push_back(1 + e % 5);
    weights.push_back(static_cast<TestType>(1 + e % 5) * std::numeric_limits<TestType>::denorm_min());
  }
  for (auto mode : {normalization::left, normalization::right, normalization::both}) {
    normalize_options const options{.mode = mode};
    auto const scaled = normalize_edges<TestType>(cpu{}, graph.csr(), options, weights.data());
    check_close(scaled, expected_edges(graph, options, aggregations));
    auto const factors = normalize_vertices<TestType>(cpu{}, graph.csr(), options, weights.data());
    for (TestType factor : factors.source) CHECK(std::isfinite(factor));
    for (TestType factor : factors.destination) CHECK(std::isfinite(factor));
  }
}

TEST_CASE("a weight is right between degrees far from each other and from 1") {
  using detail::scaled_weight;
  double const tiny = std::numeric_limits<double>::denorm_min();
  CHECK(scaled_weight(1e-300, 1e300, 1e-300, normalization::both) == Approx(1e-300));
  CHECK(scaled_weight(1e300, 1e300, 1e300, normalization::both) == Approx(1));
  CHECK(scaled_weight(1e300, 1e-300, 1e300, normalization::both) == Approx(1e300));
  CHECK(scaled_weight(tiny, tiny, tiny, normalization::both) == Approx(1));
  CHECK(scaled_weight(tiny, 1, tiny, normalization::both) == Approx(std::sqrt(tiny)));
  CHECK(scaled_weight(tiny, 0, tiny, normalization::both) == 0);
  CHECK(scaled_weight(-tiny, 1, tiny, normalization::left) == -1);
}

TEST_CASE("a virtual self loop needs the same vertices on both sides") {
  auto const graph = testing::bipartite(37, 53, 0.2);
  CHECK(testing::message_of<invalid_argument>(
            [&] { normalize_vertices(cpu{}, graph.csr(), {.self_loop = virtual_self_loop::present}); }) ==
        "normalize: a virtual self loop needs the same vertices on both sides, the graph has 37 sources and 53 "
        "destinations");
}

}  // namespace
}  // namespace edgewise
