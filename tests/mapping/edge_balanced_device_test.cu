#include "gather/max_cases.hpp"
#include "mapped.hpp"
#include "plan/device_machine.cuh"
#include "program/attention_cases.hpp"

namespace edgewise::testing {

template run_result<float> run_on_device<mapped<exact_sum, by_edges>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<gatv2, by_edges>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<extremum_of_neighbors<edgewise::max>, by_edges>>(
    run_request<float> const&);
template run_result<float> run_on_device<extremum_of_neighbors<edgewise::max>>(run_request<float> const&);

}  // namespace edgewise::testing
