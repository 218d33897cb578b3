#include "with_self_cases.hpp"

#include "plan/device_machine.cuh"

namespace edgewise::testing {

template run_result<float> run_on_device<weighted_sum_with_self>(run_request<float> const&);
template run_result<float> run_on_device<max_with_self>(run_request<float> const&);

}  // namespace edgewise::testing
