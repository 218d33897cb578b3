#include "attention_cases.hpp"

#include "plan/device_machine.cuh"

namespace edgewise::testing {

template run_result<float> run_on_device<two_scores>(run_request<float> const&);

}  // namespace edgewise::testing
