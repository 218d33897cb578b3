#include "gather/max_cases.hpp"
#include "mapped.hpp"
#include "plan/device_machine.cuh"
#include "program/attention_cases.hpp"

namespace edgewise::testing {

template run_result<float> run_on_device<mapped<exact_sum, uncut>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<exact_sum, uncut_by_degree>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<gatv2, uncut>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<gatv2, uncut_by_degree>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<extremum_of_neighbors<edgewise::max>, uncut>>(
    run_request<float> const&);
template run_result<float> run_on_device<extremum_of_neighbors<edgewise::max>>(run_request<float> const&);

}  // namespace edgewise::testing
