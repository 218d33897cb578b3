#include "relation_cases.hpp"

#include "plan/device_machine.cuh"

namespace edgewise::testing {

template run_result<float> run_on_device<relation_product>(run_request<float> const&);
template run_result<float> run_on_device<relation_attention>(run_request<float> const&);
template run_result<float> run_on_device<relation_scores>(run_request<float> const&);
template run_result<float> run_on_device<relation_bases>(run_request<float> const&);
template run_result<float> run_on_device<relation_maximum>(run_request<float> const&);

}  // namespace edgewise::testing
