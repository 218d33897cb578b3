#include "sum_over_cases.hpp"

#include "plan/device_machine.cuh"

namespace edgewise::testing {

template run_result<float> run_on_device<monet<2, operand_kind::per_channel>>(run_request<float> const&);
template run_result<float> run_on_device<monet<3, operand_kind::wide>>(run_request<float> const&);
template run_result<float> run_on_device<shared_monet>(run_request<float> const&);

}  // namespace edgewise::testing
