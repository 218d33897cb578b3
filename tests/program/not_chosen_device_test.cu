#include "not_chosen_cases.hpp"

#include "plan/device_machine.cuh"
#include "plan/scatter_on_device.cuh"

namespace edgewise::testing {

template run_result<float> run_on_device<max_of_roots>(run_request<float> const&);
template run_result<float> run_on_device<masked_logarithms>(run_request<float> const&);
template run_result<float> run_on_device<dropped_roots>(run_request<float> const&);
template run_result<float> run_on_device<zeros_of_roots>(run_request<float> const&);
template run_result<float> scatter_on_device<min_of_quotients, float, false>(run_request<float> const&);

}  // namespace edgewise::testing
