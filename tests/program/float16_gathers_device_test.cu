#include "float16_cases.hpp"

#include "plan/device_machine.cuh"

namespace edgewise::testing {

template run_result<float> run_on_device<largest_of_mixed>(run_request<float> const&);
template run_result<float> run_on_device<smallest_in_bfloat16>(run_request<float> const&);
template run_result<float> run_on_device<product_of_mixed>(run_request<float> const&);
template run_result<float> run_on_device<deviation_in_float16>(run_request<float> const&);

}  // namespace edgewise::testing
