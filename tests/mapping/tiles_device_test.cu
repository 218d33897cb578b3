#include "gather/max_cases.hpp"
#include "gather/stddev_cases.hpp"
#include "mapped.hpp"
#include "plan/device_machine.cuh"
#include "program/attention_cases.hpp"
#include "program/edge_cases.hpp"
#include "program/epilogue_cases.hpp"

namespace edgewise::testing {

template run_result<float> run_on_device<mapped<exact_sum, tiled>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<exact_sum, tiled_and_partitioned>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<max_of_differences, tiled>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<max_of_differences, tiled_and_partitioned>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<deviation_of_weighted, tiled>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<deviation_of_weighted, tiled_and_partitioned>>(
    run_request<float> const&);
template run_result<float> run_on_device<mapped<relu_of_biased_sum, tiled>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<relu_of_biased_sum, tiled_and_partitioned>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<gat, tiled>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<gat, tiled_and_partitioned>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<edge_dot, tiled>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<edge_dot, tiled_and_partitioned>>(run_request<float> const&);

}  // namespace edgewise::testing
