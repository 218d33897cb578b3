#include "thread_score_variants_cases.hpp"

#include "plan/device_machine.cuh"

namespace edgewise::testing {

template run_result<float> run_on_device<scored_edges>(run_request<float> const&);
template run_result<float> run_on_device<dropped_attention>(run_request<float> const&);
template run_result<float> run_on_device<scored_dropped_rows>(run_request<float> const&);
template run_result<float> run_on_device<scored_by_edges>(run_request<float> const&);
template run_result<float> run_on_device<scored_from_queue>(run_request<float> const&);
template run_result<float> run_on_device<scored_in_bfloat16>(run_request<float> const&);
template run_result<float> run_on_device<scored_edges_in_bfloat16>(run_request<float> const&);
template run_result<float> run_on_device<scored_of_4_by_16>(run_request<float> const&);
template run_result<float> run_on_device<scored_of_1_by_256>(run_request<float> const&);

}  // namespace edgewise::testing
