#include "thread_scores_cases.hpp"

#include "plan/device_machine.cuh"

namespace edgewise::testing {

template run_result<float> run_on_device<scored_edges>(run_request<float> const&);
template run_result<float> run_on_device<scored_rows>(run_request<float> const&);
template run_result<float> run_on_device<scored_with_self>(run_request<float> const&);

}  // namespace edgewise::testing
