#include "sum_over_cases.hpp"

#include "plan/device_machine.cuh"

namespace edgewise::testing {

template run_result<float> run_on_device<vec_vertices>(run_request<float> const&);
template run_result<float> run_on_device<vec_score>(run_request<float> const&);
template run_result<float> run_on_device<vec_self_and_epilogue>(run_request<float> const&);

}  // namespace edgewise::testing
