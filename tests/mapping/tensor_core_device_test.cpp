#include "tensor_core_device_test.hpp"

#include "check_mapping.hpp"
#include "check_over_tiles.hpp"
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
                   own_attention_bf16, gat_f16, dot_weighted_sum_f16, biased_attention_f16, mean_layer_bf16) {
  skip_without_cuda_device();
  check_over_tiles<TestType>(run<TestType>, widths);
}

TEST_CASE("tensor_core on a device: heads of more channels than tiles take", "[mapping][tiles][gpu]") {
  skip_without_cuda_device();
  random_stream random("tensor_core, wide heads");
  for (auto const& graph : {multi_edges(), chain()}) {
    check_request<transformer_f16, float>([](auto const& asked) { return run<transformer_f16>(asked, {}); },
                                          draw_request<transformer_f16, float>(graph, {1, 132}, random));
  }
}

TEST_CASE("tensor_core on a device: takes every edge once", "[mapping][tiles][gpu]") {
  skip_without_cuda_device();
  for (tile_options const options : {tile_options{}, tile_options{.max_tiles = 1}, tile_options{.least_reuse = 1.7}}) {
    check_every_edge_once<exact_sum_f16>([&](auto const& request) { return run<exact_sum_f16>(request, options); },
                                         tiled_graphs());
  }
}
