#include "epilogue_cases.hpp"

#include "plan/device_machine.cuh"

namespace edgewise::testing {

template run_result<float> run_on_device<relu_of_biased_sum>(run_request<float> const&);
template run_result<float> run_on_device<mean_and_self>(run_request<float> const&);
template run_result<float> run_on_device<shared_parameter>(run_request<float> const&);

}  // namespace edgewise::testing
