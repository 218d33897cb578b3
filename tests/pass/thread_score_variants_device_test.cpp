#include "thread_score_variants_cases.hpp"

#include <limits>

#include "plan/check_case.hpp"
#include "plan/device_run.hpp"
#include "plan/host_machine.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

namespace {

/// Rows of 16 edges or more in the mean, so that every group that splits is taken.
std::vector<test_graph> const& filled_graphs() {
  static std::vector<test_graph> const graphs{random_skewed(40, 1000), one_hub(700, 40)};
  return graphs;
}

template <class Case>
void check_widths(std::vector<width> const& widths) {
  random_stream random(std::string(Case::name) + ", split");
  for (auto const& graph : filled_graphs()) {
    if (!fits<Case>(graph)) continue;
    for (width const w : widths) {
      check_request<Case, float>(run_on_device<Case, float>, draw_request<Case, float>(graph, w, random));
    }
  }
}

}  // namespace

TEMPLATE_TEST_CASE("split scores: weights and values that are dropped", "[pass][gpu]", dropped_attention,
                   scored_dropped_rows) {
  skip_without_cuda_device();
  check_widths<TestType>({{1, 64}, {4, 16}, {2, 64}, {4, 64}});
}

TEMPLATE_TEST_CASE("split scores: shares of edges, and rows from a queue", "[pass][gpu]", scored_by_edges,
                   scored_from_queue) {
  skip_without_cuda_device();
  check_widths<TestType>({{1, 64}, {3, 16}, {4, 32}, {1, 256}});
}

TEMPLATE_TEST_CASE("split scores: rows of bfloat16", "[pass][gpu]", scored_in_bfloat16, scored_edges_in_bfloat16) {
  skip_without_cuda_device();
  check_widths<TestType>({{1, 128}, {4, 32}, {2, 64}, {8, 32}, {1, 256}});
}

TEST_CASE("split scores: extents that are known", "[pass][gpu]") {
  skip_without_cuda_device();
  check_widths<scored_of_4_by_16>({{4, 16}});
  check_widths<scored_of_1_by_256>({{1, 256}});
}

TEST_CASE("split scores: a NaN stays in its row and head", "[pass][gpu]") {
  skip_without_cuda_device();
  random_stream random("split scores: NaN");
  for (auto const& graph : filled_graphs()) {
    for (width const w : {width{1, 64}, width{4, 32}, width{4, 64}}) {
      INFO(graph.name << ", " << w.heads << " x " << w.channels);
      auto request = draw_request<scored_edges, float>(graph, w, random);
      request.asked_set = -1;
      auto const before = run_on_device<scored_edges, float>(request).out;
      auto const edge = static_cast<std::size_t>(random.below(graph.num_edges()));
      auto const heads = static_cast<std::size_t>(w.heads), channels = static_cast<std::size_t>(w.channels);
      std::size_t const head = heads - 1;
      request.operands[0][edge * heads + head] = std::numeric_limits<float>::quiet_NaN();
      auto const after = run_on_device<scored_edges, float>(request).out;
      REQUIRE(after.size() == before.size());
      auto const row = static_cast<std::size_t>(graph.destinations[edge]);
      int wrong = 0;
      for (std::size_t i = 0; i < after.size(); ++i) {
        bool const is_hit = i / (heads * channels) == row && i / channels % heads == head;
        wrong += is_hit ? !std::isnan(after[i]) : after[i] != before[i];
      }
      CHECK(wrong == 0);
    }
  }
}
