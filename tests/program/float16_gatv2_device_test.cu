#include "float16_cases.hpp"

#include "plan/device_machine.cuh"

namespace edgewise::testing {

template run_result<float> run_on_device<gatv2_in_bfloat16>(run_request<float> const&);

}  // namespace edgewise::testing
