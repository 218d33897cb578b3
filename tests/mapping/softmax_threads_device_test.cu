#include "plan/device_machine.cuh"
#include "softmax_threads_cases.hpp"

namespace edgewise::testing {

template run_result<float> run_on_device<mapped<transformer, half_groups>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<transformer, as_stored>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<float_transformer_of_bfloat16, half_groups>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<float_transformer_of_bfloat16, as_stored>>(run_request<float> const&);
#if !defined(EDGEWISE_QUICK_BUILD)
template run_result<float> run_on_device<mapped<gat, half_groups>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<gat, as_stored>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<gatv2, half_groups>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<gat_in_float16, half_groups>>(run_request<float> const&);
#endif

}  // namespace edgewise::testing
