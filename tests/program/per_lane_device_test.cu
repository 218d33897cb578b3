#include "per_lane_cases.hpp"

#include "plan/device_machine.cuh"

namespace edgewise::testing {

template run_result<float> run_on_device<per_lane_roles>(run_request<float> const&);
template run_result<float> run_on_device<per_lane_vertices>(run_request<float> const&);
template run_result<float> run_on_device<per_lane_attention>(run_request<float> const&);
template run_result<float> run_on_device<per_lane_extremum>(run_request<float> const&);

}  // namespace edgewise::testing
