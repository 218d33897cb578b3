#include "scatter_softmax_device_test.hpp"

#include <catch2/catch.hpp>

#include "check_case.hpp"
#include "program/attention_cases.hpp"
#include "program/dropout_cases.hpp"
#include "program/masked_scores.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

namespace {

/// Everything that `check_result` asks for but the same bits again: sums are added as edges arrive.
template <class Case, class T, class Run>
void check_all_but_bits(Run const& run, run_request<T> request) {
  if (!is_sampled()) return;
  INFO(Case::name << " on " << request.graph->name << ", " << request.extents.heads << " x " << request.extents.lanes);
  auto const expected = reference_of<Case>(request);
  for (request.asked_set = 0; request.asked_set < num_gradient_sets<Case>; ++request.asked_set) {
    auto result = run(request);
    CHECK(compare(result.out_again, expected.out, rule_for<Case, T>()));
    CHECK(compare(result.out_without_saved, expected.out, rule_for<Case, T>()));
    result.out_again = result.out_without_saved = result.out;
    result.gradients_again = result.gradients;
    check_result<Case>(request, result, expected);
  }
}

template <class Case, class T, class Run>
void check_softmax(Run const& run) {
  random_stream random(std::string(Case::name) + " over coo");
  for (auto const& graph : program_battery()) {
    for (width const w : {width{1, 3}, width{4, 8}}) {
      check_all_but_bits<Case>(run, draw_request<Case, T>(graph, extents_of<Case>(w), random));
    }
  }
  static auto const few = multi_edges();
  for (width const w : all_widths()) {
    if (w.lanes <= 300) check_all_but_bits<Case>(run, draw_request<Case, T>(few, extents_of<Case>(w), random));
  }
  static auto const middle = directed();
  for (width const w : {width{2, 33}, width{9, 4}, width{40, 3}, width{3, 12}}) {
    check_all_but_bits<Case>(run, draw_request<Case, T>(middle, extents_of<Case>(w), random));
  }
}

}  // namespace

TEST_CASE("scatter on a device: attention and its gradients on the battery", "[execute][gpu]") {
  skip_without_cuda_device();
  check_softmax<transformer, float>(scatter_softmax_on_device<transformer, float, false>);
  check_softmax<gat, float>(scatter_softmax_on_device<gat, float, false>);
  check_softmax<gatv2, float>(scatter_softmax_on_device<gatv2, float, true>);
  check_softmax<dropped_attention, float>(scatter_softmax_on_device<dropped_attention, float, true>);
}

TEST_CASE("scatter on a device: attention in 16 bits", "[execute][gpu]") {
  skip_without_cuda_device();
  using narrow = stored_as<gat, bfloat16>;
  check_softmax<narrow, float>(scatter_softmax_on_device<narrow, float, true>);
}

TEST_CASE("scatter on a device: attention of doubles", "[execute][gpu]") {
  skip_without_cuda_device();
  check_softmax<gat, double>(scatter_softmax_on_device<gat, double, true>);
}

TEST_CASE("scatter on a device: masked edges weigh nothing", "[execute][gpu]") {
  skip_without_cuda_device();
  random_stream random("scatter on a device: masked edges");
  for (auto const& graph : program_battery()) {
    auto request = draw_request<edge_values, float>(graph, {2, 5}, random);
    for (int edge = 0; edge < graph.num_edges(); ++edge) {
      if (graph.destinations[edge] % 4 != 0 && random.below(3) != 0) continue;
      for (int i = 0; i < 2; ++i) request.operands[0][edge * 2 + i] = -std::numeric_limits<float>::infinity();
    }
    check_all_but_bits<edge_values>(scatter_softmax_on_device<edge_values, float, true>, request);
  }
}
