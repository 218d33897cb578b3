#include "float16_edge_cases.hpp"

#include "plan/device_machine.cuh"

namespace edgewise::testing {

template run_result<float> run_on_device<edge_dot_of_mixed>(run_request<float> const&);
template run_result<float> run_on_device<edge_product_in_bfloat16>(run_request<float> const&);
template run_result<float> run_on_device<stashed_in_float16>(run_request<float> const&);

}  // namespace edgewise::testing
