#include "head_sum_cases.hpp"

#include "plan/device_machine.cuh"

namespace edgewise::testing {

template run_result<float> run_on_device<summed_monet>(run_request<float> const&);
template run_result<float> run_on_device<shares_of_heads>(run_request<float> const&);

}  // namespace edgewise::testing
