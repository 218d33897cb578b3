#include "plan/device_machine.cuh"
#include "threads_cases.hpp"

namespace edgewise::testing {

template run_result<float> run_on_device<mapped<exact_sum, half_groups>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<exact_sum, half_groups_in_tiles>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<rounded_sum, half_groups>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<rounded_sum, as_stored>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<bfloat16_sum, half_groups>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<bfloat16_sum, as_stored>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<sum_of_rows, half_groups>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<sum_of_rows, as_stored>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<max_of_differences, half_groups>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<max_of_differences, half_groups_of_whole_rows>>(
    run_request<float> const&);
template run_result<float> run_on_device<mapped<max_of_differences, as_stored>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<relu_of_biased_sum, half_groups>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<relu_of_biased_sum, as_stored>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<edge_dot, half_groups>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<exact_edge_dot, half_groups>>(run_request<float> const&);
template run_result<float> run_on_device<exact_edge_dot>(run_request<float> const&);

}  // namespace edgewise::testing
