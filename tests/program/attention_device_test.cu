#include "attention_cases.hpp"

#include "plan/device_machine.cuh"

namespace edgewise::testing {

template run_result<float> run_on_device<gat>(run_request<float> const&);
template run_result<float> run_on_device<edge_scores>(run_request<float> const&);
template run_result<float> run_on_device<head_values>(run_request<float> const&);
template run_result<float> run_on_device<row_values>(run_request<float> const&);

}  // namespace edgewise::testing
