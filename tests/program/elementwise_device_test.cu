#include "elementwise_cases.hpp"

#include "plan/device_machine.cuh"

namespace edgewise::testing {

template run_result<float> run_on_device<elementwise_message>(run_request<float> const&);
template run_result<float> run_on_device<elementwise_epilogue>(run_request<float> const&);
template run_result<float> run_on_device<chosen_functions>(run_request<float> const&);

}  // namespace edgewise::testing
