#include "coo_on_device.cuh"
#include "program/edge_cases.hpp"

namespace edgewise::testing {

template run_result<float> coo_on_device<exact_edge_dot, float, true>(run_request<float> const&);
template run_result<float> coo_on_device<stored_as<exact_edge_dot, bfloat16>, float, true>(run_request<float> const&);

}  // namespace edgewise::testing
