#include "per_channel_cases.hpp"

#include "plan/device_machine.cuh"

namespace edgewise::testing {

template run_result<float> run_on_device<per_channel_roles>(run_request<float> const&);
template run_result<float> run_on_device<per_channel_vertices>(run_request<float> const&);
template run_result<float> run_on_device<per_channel_attention>(run_request<float> const&);
template run_result<float> run_on_device<per_channel_extremum>(run_request<float> const&);

}  // namespace edgewise::testing
