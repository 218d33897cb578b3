#include "units_cases.hpp"

#include "plan/device_machine.cuh"

namespace edgewise::testing {

template run_result<float> run_on_device<normalized_weights>(run_request<float> const&);
template run_result<float> run_on_device<two_hops>(run_request<float> const&);
template run_result<float> run_on_device<differences_of_means>(run_request<float> const&);
template run_result<float> run_on_device<normalized_edges>(run_request<float> const&);

}  // namespace edgewise::testing
