#include "float16_cases.hpp"

#include "plan/device_machine.cuh"

namespace edgewise::testing {

template run_result<float> run_on_device<sum_in_bfloat16>(run_request<float> const&);
template run_result<float> run_on_device<sum_in_float16>(run_request<float> const&);
template run_result<float> run_on_device<float_sum_of_bfloat16>(run_request<float> const&);
template run_result<float> run_on_device<float_sum_of_float16>(run_request<float> const&);

}  // namespace edgewise::testing
