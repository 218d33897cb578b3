#include "stash_cases.hpp"

#include "plan/device_machine.cuh"

namespace edgewise::testing {

template run_result<float> run_on_device<stashed_transformer>(run_request<float> const&);
template run_result<float> run_on_device<stashed_gat>(run_request<float> const&);
template run_result<float> run_on_device<stashed_twice>(run_request<float> const&);
template run_result<float> run_on_device<stashed_wide>(run_request<float> const&);

}  // namespace edgewise::testing
