#include "device_machine.cuh"
#include "gather/stddev_cases.hpp"
#include "mapping/mapped.hpp"
#include "program/attention_cases.hpp"
#include "program/epilogue_cases.hpp"

namespace edgewise::testing {

template run_result<float> run_on_device<first_set<deviation_of_weighted>>(run_request<float> const&);
template run_result<float> run_on_device<first_set<gat>>(run_request<float> const&);
template run_result<float> run_on_device<first_set<gatv2>>(run_request<float> const&);
template run_result<float> run_on_device<first_set<transformer>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<first_set<transformer>, partitioned>>(run_request<float> const&);
template run_result<float> run_on_device<first_set<relu_of_biased_sum>>(run_request<float> const&);

}  // namespace edgewise::testing
