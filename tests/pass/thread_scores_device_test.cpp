#include "thread_scores_cases.hpp"

#include <limits>

#include "plan/check_case.hpp"
#include "plan/device_run.hpp"
#include "plan/host_machine.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

namespace {

/// Rounds of 4 to 32 edges, heads that are no power of two, and rows of several tiles.
std::vector<width> thread_score_widths() {
  return {{1, 64}, {4, 16}, {2, 32}, {3, 16}, {1, 128}, {4, 32},  {8, 16},  {5, 16}, {2, 64},
          {1, 99}, {1, 40}, {4, 64}, {8, 32}, {7, 32},  {2, 128}, {1, 256}, {6, 64}, {4, 128}};
}

/// Rows of at least 16 edges in the mean, some of none and some that are cut.
std::vector<test_graph> const& filled_graphs() {
  static std::vector<test_graph> const graphs{random_skewed(40, 1000), one_hub(700, 40), symmetric(30, 400)};
  return graphs;
}

}  // namespace

TEMPLATE_TEST_CASE("split scores: values and gradients where rows fill rounds", "[pass][gpu]", scored_edges,
                   scored_rows, scored_with_self) {
  skip_without_cuda_device();
  random_stream random(TestType::name);
  for (auto const& graph : filled_graphs()) {
    if (!fits<TestType>(graph)) continue;
    for (width const w : thread_score_widths()) {
      auto request = draw_request<TestType, float>(graph, extents_of<TestType>(w), random);
      check_request<TestType, float>(run_on_device<TestType, float>, request);
    }
  }
}

TEST_CASE("split scores: 64-bit offsets, padded rows", "[pass][gpu]") {
  skip_without_cuda_device();
  random_stream random("64-bit offsets, padded rows");
  for (auto const& graph : filled_graphs()) {
    for (width const w : {width{4, 16}, width{2, 64}, width{8, 32}}) {
      auto request = draw_request<scored_edges, float>(graph, w, random);
      request.wide_offsets = true;
      check_request<scored_edges, float>(run_on_device<scored_edges, float>, request);
      request.wide_offsets = false;
      request.layout = {.row_padding = 4};
      check_request<scored_edges, float>(run_on_device<scored_edges, float>, request);
    }
  }
}

TEST_CASE("split scores: an edge without weight may have any value, and a row may have no weight", "[pass][gpu]") {
  skip_without_cuda_device();
  constexpr float infinite = std::numeric_limits<float>::infinity();
  random_stream random("edges without weight");
  for (auto const& graph : filled_graphs()) {
    for (width const w : {width{1, 64}, width{4, 32}, width{4, 64}}) {
      INFO(graph.name << ", " << w.heads << " x " << w.channels);
      auto request = draw_request<scored_edges, float>(graph, w, random);
      auto const heads = static_cast<std::size_t>(w.heads), channels = static_cast<std::size_t>(w.channels);
      for (std::size_t e = 0; e < static_cast<std::size_t>(graph.num_edges()); ++e) {
        bool const row_counts = graph.destinations[e] % 7 != 0;
        for (std::size_t k = 0; k < heads; ++k) {
          if (row_counts && random.below(3) > 0) continue;
          request.operands[0][e * heads + k] = -infinite;
          for (std::size_t i = 0; i < channels; ++i) request.operands[2][(e * heads + k) * channels + i] = infinite;
        }
      }
      request.asked_set = -1;
      auto const actual = run_on_device<scored_edges, float>(request).out;
      auto const expected = run_on_host<scored_edges>(request).out;
      REQUIRE(actual.size() == expected.size());
      float worst = 0;
      for (std::size_t i = 0; i < actual.size(); ++i) {
        float const difference = std::abs(actual[i] - expected[i]);
        worst = difference >= worst || difference != difference ? difference : worst;
        if (difference != difference) break;
      }
      CHECK(worst < 1e-5f);
    }
  }
}
