#include "attention_cases.hpp"

#include "plan/device_machine.cuh"

namespace edgewise::testing {

template run_result<float> run_on_device<scored_head_values>(run_request<float> const&);
template run_result<float> run_on_device<scored_row_values>(run_request<float> const&);

}  // namespace edgewise::testing
