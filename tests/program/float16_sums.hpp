// Sums whose exact value is known: long rows of ones, and sums beyond float16.
#pragma once

#include <cmath>
#include <vector>

#include "plan/check_case.hpp"

namespace edgewise::testing {

/// A vertex with 10,000 neighbors of value 1, another with 3, between rows without edges.
inline test_graph const& long_row() {
  static test_graph const graph = [] {
    edge_list edges;
    for (int k = 0; k < 10000; ++k) edges.push_back({k % 100, 1});
    for (int k = 0; k < 3; ++k) edges.push_back({k, 3});
    return make_test_graph("a row of 10,000", 100, 5, edges);
  }();
  return graph;
}

/// Wide: a case of weights and features with a float output. Narrow: the same with an output of S, which is the
/// rounding of that sum and no sum of roundings.
template <class Wide, class Narrow, class S, class RunWide, class RunNarrow>
void check_long_sums(RunWide const& run_wide, RunNarrow const& run_narrow) {
  test_graph const& graph = long_row();
  random_stream random("long sums");
  for (int channels : {1, 8, 12, 33, 64, 602}) {
    INFO(channels << " channels");
    run_request<float> request{.graph = &graph, .extents = {1, channels}};
    auto const features = static_cast<std::size_t>(graph.num_sources * channels);
    request.operands = {std::vector<float>(static_cast<std::size_t>(graph.num_edges()), 1.0f),
                        std::vector<float>(features, 1.0f)};
    auto const ones = run_wide(request).out;
    for (int v = 0; v < graph.num_destinations; ++v) {
      float const degree = static_cast<float>(graph.by_destination.degree(v));
      for (int channel = 0; channel < channels; ++channel)
        REQUIRE(ones.at(static_cast<std::size_t>(v * channels + channel)) == degree);
    }
    CHECK(run_narrow(request).out == rounded_values<S>(ones));
    request.operands[1] = rounded_values<S>(draw_values<float>(features, draw::uniform, random));
    CHECK(run_narrow(request).out == rounded_values<S>(run_wide(request).out));
  }
}

/// Case: weights and features in float16 with a float16 output.
template <class Case, class Run>
void check_overflow(Run const& run) {
  test_graph const graph = make_test_graph("overflow", 3, 3, {{0, 0}, {1, 0}, {1, 1}, {2, 2}, {0, 2}});
  for (int channels : {3, 8, 20, 33}) {
    INFO(channels << " channels");
    auto const count = static_cast<std::size_t>(3 * channels);
    run_request<float> request{.graph = &graph, .extents = {1, channels}};
    request.operands = {std::vector<float>(5, 1.0f), std::vector<float>(count, 2.0f)};
    request.operands[1][2] = 40000;                                       // source 0, channel 2
    request.operands[1][static_cast<std::size_t>(channels) + 2] = 25536;  // source 1: 65536 with source 0
    request.operands[1][static_cast<std::size_t>(2 * channels)] = 60000;  // source 2, channel 0: 60002 with source 0
    std::vector<float> expected(count, 4.0f);
    for (int channel = 0; channel < channels; ++channel) expected[static_cast<std::size_t>(channels + channel)] = 2;
    expected[2] = HUGE_VALF;
    expected[static_cast<std::size_t>(channels) + 2] = 25536;
    expected[static_cast<std::size_t>(2 * channels)] = 60000;  // the nearest float16
    expected[static_cast<std::size_t>(2 * channels) + 2] = 40000;
    auto const result = run(request);
    CHECK(result.damage == "");
    CHECK(result.out == expected);
  }
}

}  // namespace edgewise::testing
