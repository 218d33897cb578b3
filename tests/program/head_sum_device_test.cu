#include "head_sum_cases.hpp"

#include "plan/device_machine.cuh"

namespace edgewise::testing {

template run_result<float> run_on_device<summed_heads>(run_request<float> const&);
template run_result<float> run_on_device<mean_of_attention>(run_request<float> const&);

}  // namespace edgewise::testing
