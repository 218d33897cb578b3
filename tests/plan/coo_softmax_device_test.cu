#include "coo_on_device.cuh"
#include "program/attention_cases.hpp"
#include "program/dropout_cases.hpp"

namespace edgewise::testing {

template run_result<float> coo_on_device<transformer, float, false>(run_request<float> const&);
template run_result<float> coo_on_device<gat, float, false>(run_request<float> const&);
template run_result<float> coo_on_device<stored_as<gat, bfloat16>, float, true>(run_request<float> const&);
template run_result<double> coo_on_device<gat, double, true>(run_request<double> const&);
template run_result<float> coo_on_device<gatv2, float, true>(run_request<float> const&);
template run_result<float> coo_on_device<edge_values, float, true>(run_request<float> const&);
template run_result<float> coo_on_device<dropped_attention, float, true>(run_request<float> const&);

}  // namespace edgewise::testing
