#include "hand_over_cases.hpp"

#include "plan/device_machine.cuh"

namespace edgewise::testing {

template run_result<float> run_on_device<handed_edge_features>(run_request<float> const&);
template run_result<float> run_on_device<handed_and_stashed>(run_request<float> const&);
template run_result<float> run_on_device<handed_two_sums>(run_request<float> const&);
template run_result<float> run_on_device<handed_in_float16>(run_request<float> const&);

}  // namespace edgewise::testing
