#include "gather/sum_cases.hpp"

#include "plan/device_machine.cuh"

namespace edgewise::testing {

template run_result<float> run_on_device<weighted_sum<operand_kind::per_row>>(run_request<float> const&);

}  // namespace edgewise::testing
