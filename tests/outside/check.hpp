// What the programs from outside must give, by their formulas.
#pragma once

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "support/catch.hpp"

#include "programs.hpp"
#include "support/graphs.hpp"
#include "support/random.hpp"

namespace outside {

inline operands random_operands(edgewise::testing::test_graph const& graph, int channels) {
  edgewise::testing::random_stream random("outside");
  auto const make = [&](int size) {
    std::vector<double> values;
    for (int i = 0; i < size; ++i) values.push_back(random.uniform(-2, 2));
    return values;
  };
  return {channels, make(graph.num_sources * channels), make(graph.num_edges()),
          make(graph.num_destinations * channels)};
}

inline results empty_results(edgewise::testing::test_graph const& graph, int channels) {
  auto const vertices = static_cast<std::size_t>(graph.num_sources * channels);
  return {std::vector<double>(vertices), std::vector<double>(vertices),
          std::vector<double>(static_cast<std::size_t>(graph.num_edges()))};
}

/// Calls f(edge, source element, destination element) for every edge and channel.
template <class F>
void for_each_channel(edgewise::testing::test_graph const& graph, int channels, F const& f) {
  for (int e = 0; e < graph.num_edges(); ++e) {
    for (int channel = 0; channel < channels; ++channel) {
      f(static_cast<std::size_t>(e), static_cast<std::size_t>(graph.sources[e] * channels + channel),
        static_cast<std::size_t>(graph.destinations[e] * channels + channel));
    }
  }
}

inline results expected_distances(edgewise::testing::test_graph const& graph, operands const& in) {
  results expected = empty_results(graph, in.channels);
  for_each_channel(graph, in.channels, [&](std::size_t, std::size_t u, std::size_t v) {
    double const difference = in.x[u] - in.x[v];
    double const factor = in.x[v];  // is detached: gets no gradient of its own
    expected.out[v] += factor * difference * difference;
    expected.dx[u] += 2 * factor * difference * in.dout[v];
    expected.dx[v] -= 2 * factor * difference * in.dout[v];
  });
  return expected;
}

inline results expected_smooth_maximum(edgewise::testing::test_graph const& graph, operands const& in) {
  results expected = empty_results(graph, in.channels);
  std::vector<double> total(expected.out.size());
  for_each_channel(graph, in.channels,
                   [&](std::size_t e, std::size_t u, std::size_t v) { total[v] += std::exp(in.w[e] * in.x[u]); });
  for_each_channel(graph, in.channels, [&](std::size_t e, std::size_t u, std::size_t v) {
    double const adjoint = in.dout[v] * std::exp(in.w[e] * in.x[u]) / total[v];
    expected.dx[u] += adjoint * in.w[e];
    expected.dw[e] += adjoint * in.x[u];
  });
  for (std::size_t v = 0; v < total.size(); ++v) expected.out[v] = total[v] > 0 ? std::log(total[v]) : 0;
  return expected;
}

inline void check_equal(std::vector<double> const& actual, std::vector<double> const& expected) {
  REQUIRE(actual.size() == expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    CHECK(actual[i] == Approx(expected[i]).epsilon(1e-10).margin(1e-10));
  }
}

inline void check_equal(results const& actual, results const& expected) {
  check_equal(actual.out, expected.out);
  check_equal(actual.dx, expected.dx);
  check_equal(actual.dw, expected.dw);
}

/// Every vertex has `degree` edges, which lie in the order of their destinations.
inline edgewise::testing::test_graph regular_graph(int num_vertices, int degree) {
  std::vector<std::pair<int, int>> edges;
  for (int v = 0; v < num_vertices; ++v) {
    for (int i = 0; i < degree; ++i) edges.emplace_back((v * 7 + i * i + 1) % num_vertices, v);
  }
  return edgewise::testing::make_test_graph("regular", num_vertices, num_vertices, edges);
}

/// Runs both programs through `distances(graph, operands)` and `smooth_maximum(graph, operands)` on every graph.
template <class Distances, class SmoothMaximum>
void check_on_battery(std::vector<edgewise::testing::test_graph> const& graphs, Distances const& run_first,
                      SmoothMaximum const& run_second) {
  for (auto const& graph : graphs) {
    if (!graph.is_square()) continue;
    for (int channels : {1, 3, 32, 33}) {
      INFO(graph.name << ", " << channels << " channels");
      operands const in = random_operands(graph, channels);
      check_equal(run_first(graph, in), expected_distances(graph, in));
      check_equal(run_second(graph, in), expected_smooth_maximum(graph, in));
    }
  }
}

}  // namespace outside
