#include "argument_cases.hpp"

#include "gather/max_cases.hpp"
#include "plan/device_machine.cuh"

namespace edgewise::testing {

template run_result<float> run_on_device<range_of_neighbors>(run_request<float> const&);
template run_result<float> run_on_device<max_of_edge_products>(run_request<float> const&);
template run_result<float> run_on_device<layer_of_differences>(run_request<float> const&);
template run_result<float> run_on_device<max_of_scaled>(run_request<float> const&);
template run_result<float> run_on_device<max_of_scores>(run_request<float> const&);
template run_result<float> run_on_device<unordered<range_of_neighbors>>(run_request<float> const&);
template run_result<float> run_on_device<unordered<layer_of_differences>>(run_request<float> const&);
template run_result<float> run_on_device<unordered<max_of_differences>>(run_request<float> const&);

}  // namespace edgewise::testing
