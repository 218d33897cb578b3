#include "attention_cases.hpp"

#include "plan/device_machine.cuh"

namespace edgewise::testing {

template run_result<float> run_on_device<dot_weighted_sum>(run_request<float> const&);
template run_result<float> run_on_device<sum_of_scores>(run_request<float> const&);

}  // namespace edgewise::testing
