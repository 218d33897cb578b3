#include "gather/max_cases.hpp"
#include "mapped.hpp"
#include "plan/device_machine.cuh"
#include "program/attention_cases.hpp"
#include "program/epilogue_cases.hpp"

namespace edgewise::testing {

template run_result<float> run_on_device<mapped<exact_sum, queued>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<exact_sum, queued_as_stored>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<gatv2, queued>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<gatv2, queued_as_stored>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<extremum_of_neighbors<edgewise::max>, queued>>(
    run_request<float> const&);
template run_result<float> run_on_device<mapped<relu_of_biased_sum, queued>>(run_request<float> const&);

}  // namespace edgewise::testing
