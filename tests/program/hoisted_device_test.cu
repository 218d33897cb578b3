#include "hoisted_cases.hpp"

#include "plan/device_machine.cuh"

namespace edgewise::testing {

template run_result<float> run_on_device<hoisted_by_rows>(run_request<float> const&);
template run_result<float> run_on_device<hoisted_scores>(run_request<float> const&);
template run_result<float> run_on_device<hoisted_by_vertices>(run_request<float> const&);

}  // namespace edgewise::testing
