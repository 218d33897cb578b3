#include "plan/device_machine.cuh"
#include "tiles_cases.hpp"

namespace edgewise::testing {

template run_result<float> run_on_device<sum_in_tiles>(run_request<float> const&);
template run_result<float> run_on_device<sum_of_whole_rows>(run_request<float> const&);
template run_result<float> run_on_device<bfloat16_sum_in_tiles>(run_request<float> const&);
template run_result<float> run_on_device<max_in_tiles>(run_request<float> const&);

}  // namespace edgewise::testing
