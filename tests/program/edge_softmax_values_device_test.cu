#include "edge_softmax_cases.hpp"

#include "plan/device_machine.cuh"

namespace edgewise::testing {

template run_result<float> run_on_device<edge_scored_attention>(run_request<float> const&);
template run_result<float> run_on_device<edge_weighted_values>(run_request<float> const&);
template run_result<float> run_on_device<edge_dropped_attention>(run_request<float> const&);

}  // namespace edgewise::testing
