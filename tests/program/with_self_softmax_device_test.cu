#include "with_self_cases.hpp"

#include "plan/device_machine.cuh"

namespace edgewise::testing {

template run_result<float> run_on_device<mean_and_deviation_with_self>(run_request<float> const&);
template run_result<float> run_on_device<gat_with_self>(run_request<float> const&);

}  // namespace edgewise::testing
