#include "float16_epilogue_cases.hpp"

#include "plan/device_machine.cuh"

namespace edgewise::testing {

template run_result<float> run_on_device<relu_of_mixed>(run_request<float> const&);
template run_result<float> run_on_device<shared_sum_in_bfloat16>(run_request<float> const&);

}  // namespace edgewise::testing
