#include "device_machine.cuh"
#include "gather/stddev_cases.hpp"
#include "program/attention_cases.hpp"
#include "program/epilogue_cases.hpp"

namespace edgewise::testing {

template run_result<float> run_on_device<deviation_of_weighted>(run_request<float> const&);
template run_result<float> run_on_device<gat>(run_request<float> const&);
template run_result<float> run_on_device<gatv2>(run_request<float> const&);
template run_result<float> run_on_device<transformer>(run_request<float> const&);
template run_result<float> run_on_device<relu_of_biased_sum>(run_request<float> const&);

}  // namespace edgewise::testing
