#include "max_cases.hpp"

#include "plan/device_machine.cuh"

namespace edgewise::testing {

template run_result<float> run_on_device<extremum_of_neighbors<edgewise::min>>(run_request<float> const&);
template run_result<float> run_on_device<extremum_of_weighted<edgewise::min>>(run_request<float> const&);
template run_result<float> run_on_device<min_of_activated>(run_request<float> const&);

}  // namespace edgewise::testing
