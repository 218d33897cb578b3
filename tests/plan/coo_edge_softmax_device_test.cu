#include "attention_weights_cases.hpp"
#include "coo_on_device.cuh"
#include "program/edge_softmax_cases.hpp"

namespace edgewise::testing {

template run_result<float> coo_on_device<edge_attention, float, true>(run_request<float> const&);
template run_result<float> coo_on_device<edge_weighted_values, float, false>(run_request<float> const&);
template run_result<float> coo_on_device<edge_dropped_scores, float, true>(run_request<float> const&);
template run_result<float> coo_on_device<edge_dropped_row_scores, float, true>(run_request<float> const&);
template run_result<float> coo_on_device<edge_masked_values, float, true>(run_request<float> const&);
template run_result<float> coo_on_device<gat_and_weights, float, true>(run_request<float> const&);

}  // namespace edgewise::testing
