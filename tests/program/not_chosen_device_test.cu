#include "not_chosen_cases.hpp"

#include "plan/coo_on_device.cuh"
#include "plan/device_machine.cuh"

namespace edgewise::testing {

template run_result<float> run_on_device<max_of_roots>(run_request<float> const&);
template run_result<float> run_on_device<masked_logarithms>(run_request<float> const&);
template run_result<float> run_on_device<dropped_roots>(run_request<float> const&);
template run_result<float> run_on_device<zeros_of_roots>(run_request<float> const&);
template run_result<float> coo_on_device<min_of_quotients, float, false>(run_request<float> const&);

}  // namespace edgewise::testing
