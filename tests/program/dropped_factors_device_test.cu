#include "dropout_cases.hpp"
#include "plan/device_machine.cuh"

namespace edgewise::testing {

template run_result<float> run_on_device<dropped_factors>(run_request<float> const&);
template run_result<float> run_on_device<dropped_head_sum>(run_request<float> const&);
template run_result<float> run_on_device<dropped_hoisted>(run_request<float> const&);

}  // namespace edgewise::testing
