#include "composed.hpp"

#include "plan/device_machine.cuh"

namespace edgewise::testing {

template run_result<double> run_on_device<composed_program<10>>(run_request<double> const&);

}  // namespace edgewise::testing
