#include "execute/device_machine.cuh"
#include "gather/max_cases.hpp"
#include "gather/sum_cases.hpp"
#include "program/attention_cases.hpp"
#include "program/epilogue_cases.hpp"

namespace edgewise::testing {

template run_result<float> run_on_device<weighted_sum<operand_kind::per_head>>(run_request<float> const&);
template run_result<float> run_on_device<extremum_of_weighted<edgewise::max>>(run_request<float> const&);
template run_result<float> run_on_device<gatv2>(run_request<float> const&);
template run_result<float> run_on_device<edge_values>(run_request<float> const&);

}  // namespace edgewise::testing
