#include "support/catch.hpp"

#include "coo_check.hpp"
#include "coo_device_test.hpp"
#include "program/attention_cases.hpp"
#include "program/dropout_cases.hpp"
#include "program/masked_scores.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

namespace {

template <class Case, class T, class Run>
void check_softmax(Run const& run) {
  check_inexact_scattered<Case, T>(run, program_battery());
}

}  // namespace

TEST_CASE("scatter on a device: attention and its gradients on the battery", "[plan][gpu]") {
  skip_without_cuda_device();
  check_softmax<transformer, float>(coo_on_device<transformer, float, false>);
  check_softmax<gat, float>(coo_on_device<gat, float, false>);
  check_softmax<gatv2, float>(coo_on_device<gatv2, float, true>);
  check_softmax<dropped_attention, float>(coo_on_device<dropped_attention, float, true>);
}

TEST_CASE("scatter on a device: attention in 16 bits", "[plan][gpu]") {
  skip_without_cuda_device();
  using narrow = stored_as<gat, bfloat16>;
  check_softmax<narrow, float>(coo_on_device<narrow, float, true>);
}

TEST_CASE("scatter on a device: attention of doubles", "[plan][gpu]") {
  skip_without_cuda_device();
  check_softmax<gat, double>(coo_on_device<gat, double, true>);
}

TEST_CASE("scatter on a device: masked edges weigh nothing", "[plan][gpu]") {
  skip_without_cuda_device();
  random_stream random("scatter on a device: masked edges");
  for (auto const& graph : program_battery()) {
    auto request = draw_request<edge_values, float>(graph, {2, 5}, random);
    for (int edge = 0; edge < graph.num_edges(); ++edge) {
      if (graph.destinations[edge] % 4 != 0 && random.below(3) != 0) continue;
      for (int i = 0; i < 2; ++i) request.operands[0][edge * 2 + i] = -std::numeric_limits<float>::infinity();
    }
    check_all_but_bits<edge_values>(coo_on_device<edge_values, float, true>, request);
    draw_far_scores(request.operands[0], graph, 2, random);
    check_all_but_bits<edge_values>(coo_on_device<edge_values, float, true>, request);
  }
}
