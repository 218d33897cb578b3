#include "max_cases.hpp"

#include "plan/device_machine.cuh"

namespace edgewise::testing {

template run_result<float> run_on_device<extremum_of_neighbors<edgewise::max>>(run_request<float> const&);
template run_result<float> run_on_device<extremum_of_weighted<edgewise::max>>(run_request<float> const&);
template run_result<float> run_on_device<max_of_differences>(run_request<float> const&);

}  // namespace edgewise::testing
