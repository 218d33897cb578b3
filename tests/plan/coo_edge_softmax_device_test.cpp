#include "attention_weights_check.hpp"
#include "coo_check.hpp"
#include "coo_device_test.hpp"
#include "program/edge_softmax_check.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEST_CASE("coo edge softmax on a device: values and gradients", "[plan][gpu]") {
  skip_without_cuda_device();
  check_inexact_scattered<edge_attention, float>(coo_on_device<edge_attention, float, true>, edge_softmax_graphs());
  check_inexact_scattered<edge_weighted_values, float>(coo_on_device<edge_weighted_values, float, false>,
                                                       edge_softmax_graphs());
}

TEST_CASE("coo edge softmax on a device: scores that are dropped", "[plan][gpu]") {
  skip_without_cuda_device();
  check_inexact_scattered<edge_dropped_scores, float>(coo_on_device<edge_dropped_scores, float, true>,
                                                      edge_softmax_graphs());
  check_inexact_scattered<edge_dropped_row_scores, float>(coo_on_device<edge_dropped_row_scores, float, true>,
                                                          edge_softmax_graphs());
}

TEST_CASE("coo edge softmax on a device: each weight counts once where rows are cut into tiles", "[plan][gpu]") {
  skip_without_cuda_device();
  random_stream random("coo edge softmax on a device: cut rows");
  static auto const graph = directed();
  for (width const w : {width{1, 130}, width{1, 602}, width{1, 1024}, width{8, 128}, width{40, 3}}) {
    check_all_but_bits<edge_dropped_scores>(coo_on_device<edge_dropped_scores, float, true>,
                                            draw_request<edge_dropped_scores, float>(graph, w, random));
    check_all_but_bits<edge_dropped_row_scores>(coo_on_device<edge_dropped_row_scores, float, true>,
                                                draw_request<edge_dropped_row_scores, float>(graph, w, random));
  }
}

TEST_CASE("coo edge softmax on a device: scores of -inf mask edges, whatever the values", "[plan][gpu]") {
  skip_without_cuda_device();
  check_masked_edges([](run_request<float> const& request) {
    auto result = coo_on_device<edge_masked_values, float, true>(request);
    // Sums of weights are added as edges arrive: the first pass is judged, not its bits again.
    result.out_again = result.out_without_saved = result.out;
    result.gradients_again = result.gradients;
    return result;
  });
}

TEST_CASE("coo attention weights on a device: of every edge, by edge id", "[plan][gpu]") {
  skip_without_cuda_device();
  check_weights<gat_and_weights>(coo_on_device<gat_and_weights, float, true>);
}
