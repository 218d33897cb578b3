#include "constant_rows_cases.hpp"

#include "plan/device_machine.cuh"

namespace edgewise::testing {

template run_result<float> run_on_device<constant_vectors>(run_request<float> const&);
template run_result<float> run_on_device<constant_scores>(run_request<float> const&);

}  // namespace edgewise::testing
