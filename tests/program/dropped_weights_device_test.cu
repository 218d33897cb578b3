#include "dropout_cases.hpp"
#include "plan/device_machine.cuh"

namespace edgewise::testing {

template run_result<float> run_on_device<dropped_attention>(run_request<float> const&);
template run_result<float> run_on_device<dropped_attention_with_self>(run_request<float> const&);

}  // namespace edgewise::testing
