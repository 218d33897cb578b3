#include "tensor_core_device_test.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "check_mapping.hpp"
#include "check_over_tiles.hpp"
#include "program/far_scores.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

namespace {

// Aligned and not, several heads.
std::vector<width> const widths{{1, 3}, {4, 16}, {2, 33}, {1, 64}};

template <class Case>
constexpr auto run = [](run_request<float> const& request, tile_options const& options) {
  return run_over_tiles_on_device<Case>(request, options);
};

}  // namespace

TEMPLATE_TEST_CASE("tensor_core on a device: values and gradients", "[mapping][tiles][gpu]", transformer_f16,
                   transformer_tf32, gat_f16, biased_attention_f16,
                   mean_layer_bf16 EDGEWISE_MORE_CASES(own_attention_bf16, dot_weighted_sum_f16)) {
  skip_without_cuda_device();
  check_over_tiles<TestType>(run<TestType>, widths);
}

TEST_CASE("tensor_core on a device: scores of 0, far from 0, and masked", "[mapping][tiles][gpu]") {
  skip_without_cuda_device();
  random_stream random("tensor_core, scores");
  for (auto const& graph : {many_edges(), multi_edges(), one_hub()}) {
    auto request = draw_request<biased_attention_f16, float>(graph, {2, 16}, random);
    std::fill(request.operands[0].begin(), request.operands[0].end(), 0.0f);  // queries: the bias is the score
    auto& scores = request.operands[2];
    auto const check = [&] {
      check_request<biased_attention_f16, float>(
          [](auto const& asked) { return run<biased_attention_f16>(asked, {.max_tiles = 2}); }, request);
    };
    std::fill(scores.begin(), scores.end(), 0.0f);
    check();
    std::fill(scores.begin(), scores.end(), -1e4f);
    check();
    draw_far_scores(scores, graph, 2, random);
    check();
    for (std::size_t i = 0; i < scores.size(); ++i) {  // every other edge, and all edges of every third row
      bool const is_masked = i % 4 < 2 || graph.destinations[i / 2] % 3 == 0;
      scores[i] = is_masked ? -std::numeric_limits<float>::infinity() : static_cast<float>(random.uniform(-1, 1));
    }
    check();
  }
}

TEMPLATE_TEST_CASE("tensor_core on a device: heads of more channels than tiles take", "[mapping][tiles][gpu]",
                   transformer_f16, transformer_tf32) {
  skip_without_cuda_device();
  random_stream random("tensor_core, wide heads");
  for (auto const& graph : {multi_edges(), chain()}) {
    for (width const w : {width{1, 72}, width{1, 132}}) {  // 72: more than two sums of tf32 take
      check_request<TestType, float>([](auto const& asked) { return run<TestType>(asked, {}); },
                                     draw_request<TestType, float>(graph, w, random));
    }
  }
}

TEST_CASE("tensor_core on a device: takes every edge once", "[mapping][tiles][gpu]") {
  skip_without_cuda_device();
  for (tile_options const options : {tile_options{}, tile_options{.max_tiles = 1}, tile_options{.least_reuse = 1.7}}) {
    check_every_edge_once<exact_sum_f16>([&](auto const& request) { return run<exact_sum_f16>(request, options); },
                                         tiled_graphs());
    check_every_edge_once<exact_sum_tf32>([&](auto const& request) { return run<exact_sum_tf32>(request, options); },
                                          tiled_graphs());
  }
}
