#include "concat_cases.hpp"

#include "plan/device_machine.cuh"

namespace edgewise::testing {

template run_result<float> run_on_device<pna>(run_request<float> const&);
template run_result<float> run_on_device<epilogues_side_by_side>(run_request<float> const&);
template run_result<float> run_on_device<summed_and_averaged_heads>(run_request<float> const&);
template run_result<float> run_on_device<numbers_of_heads>(run_request<float> const&);
template run_result<float> run_on_device<both_extrema>(run_request<float> const&);
template run_result<float> run_on_device<pna_in_bfloat16>(run_request<float> const&);
template run_result<float> run_on_device<epilogues_in_float16>(run_request<float> const&);
template run_result<float> run_on_device<first_set<attention_beside_mean>>(run_request<float> const&);

}  // namespace edgewise::testing
