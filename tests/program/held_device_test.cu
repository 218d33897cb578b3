#include "held_cases.hpp"

#include "plan/device_machine.cuh"

namespace edgewise::testing {

template run_result<float> run_on_device<held_by_rows>(run_request<float> const&);
template run_result<float> run_on_device<held_scores>(run_request<float> const&);
template run_result<float> run_on_device<held_by_vertices>(run_request<float> const&);

}  // namespace edgewise::testing
