#include "coo_cases.hpp"
#include "coo_on_device.cuh"

namespace edgewise::testing {

template run_result<float> coo_on_device<scattered_all_bfloat16, float, true>(run_request<float> const&);
template run_result<float> coo_on_device<scattered_adding_bfloat16, float, true>(run_request<float> const&);
template run_result<float> coo_on_device<scattered_all_float16, float, true>(run_request<float> const&);
template run_result<float> coo_on_device<scattered_float16_vectors, float, true>(run_request<float> const&);
template run_result<float> coo_on_device<scattered_bfloat16_extremum, float, false>(run_request<float> const&);

}  // namespace edgewise::testing
