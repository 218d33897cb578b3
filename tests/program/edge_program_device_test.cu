#include "edge_cases.hpp"

#include "plan/device_machine.cuh"

namespace edgewise::testing {

template run_result<float> run_on_device<edge_dot>(run_request<float> const&);
template run_result<float> run_on_device<edge_score>(run_request<float> const&);

}  // namespace edgewise::testing
