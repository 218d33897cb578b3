#include "epilogue_cases.hpp"

#include "plan/device_machine.cuh"

namespace edgewise::testing {

template run_result<float> run_on_device<everywhere>(run_request<float> const&);
template run_result<float> run_on_device<scaled_by_weight_of_row>(run_request<float> const&);
template run_result<float> run_on_device<scaled_by_weight_of_head>(run_request<float> const&);

}  // namespace edgewise::testing
