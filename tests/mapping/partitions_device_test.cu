#include "gather/max_cases.hpp"
#include "mapped.hpp"
#include "plan/attention_weights_cases.hpp"
#include "plan/device_machine.cuh"
#include "program/attention_cases.hpp"
#include "program/edge_softmax_cases.hpp"

namespace edgewise::testing {

template run_result<float> run_on_device<mapped<exact_sum, partitioned>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<gatv2, partitioned>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<gatv2, partitioned_by_degree>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<gat, partitioned>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<max_of_differences, partitioned>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<edge_attention, partitioned>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<transformer_and_weights, partitioned>>(run_request<float> const&);

}  // namespace edgewise::testing
