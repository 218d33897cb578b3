#include "tensor_core_device_test.hpp"

#include "plan/device_machine.cuh"
#include "tensor_core_cases.hpp"

namespace edgewise::testing {

template <class Case>
run_result<float> run_over_tiles_on_device(run_request<float> const& request, tile_options const& options) {
  return run_over_tiles<Case>(device_machine{}, request, options);
}

template run_result<float> run_over_tiles_on_device<transformer_f16>(run_request<float> const&, tile_options const&);
template run_result<float> run_over_tiles_on_device<transformer_tf32>(run_request<float> const&, tile_options const&);
template run_result<float> run_over_tiles_on_device<gat_f16>(run_request<float> const&, tile_options const&);
template run_result<float> run_over_tiles_on_device<exact_sum_f16>(run_request<float> const&, tile_options const&);
template run_result<float> run_over_tiles_on_device<exact_sum_tf32>(run_request<float> const&, tile_options const&);
template run_result<float> run_over_tiles_on_device<biased_attention_f16>(run_request<float> const&,
                                                                          tile_options const&);
template run_result<float> run_over_tiles_on_device<mean_layer_bf16>(run_request<float> const&, tile_options const&);
#if !defined(EDGEWISE_QUICK_BUILD)
template run_result<float> run_over_tiles_on_device<own_attention_bf16>(run_request<float> const&, tile_options const&);
template run_result<float> run_over_tiles_on_device<dot_weighted_sum_f16>(run_request<float> const&,
                                                                          tile_options const&);
#endif

}  // namespace edgewise::testing
