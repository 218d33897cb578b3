#include "mapped.hpp"
#include "plan/device_machine.cuh"
#include "program/attention_cases.hpp"

namespace edgewise::testing {

template run_result<float> run_on_device<exact_sum>(run_request<float> const&);
template run_result<float> run_on_device<mapped<exact_sum, rows_by_degree>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<exact_sum, rows_in_windows>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<gatv2, as_stored>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<gatv2, rows_in_windows>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<gatv2, rows_by_degree>>(run_request<float> const&);

}  // namespace edgewise::testing
