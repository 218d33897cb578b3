#include "hoisted_cases.hpp"

#include "plan/device_machine.cuh"

namespace edgewise::testing {

template run_result<float> run_on_device<shared_on_edges>(run_request<float> const&);
template run_result<float> run_on_device<hoisted_messages>(run_request<float> const&);

}  // namespace edgewise::testing
