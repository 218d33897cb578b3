#include "device_machine.cuh"

#include "attention_weights_cases.hpp"

namespace edgewise::testing {

template run_result<float> run_on_device<gat_and_weights>(run_request<float> const&);
template run_result<float> run_on_device<transformer_and_weights>(run_request<float> const&);

}  // namespace edgewise::testing
