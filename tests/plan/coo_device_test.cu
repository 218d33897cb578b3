#include "coo_cases.hpp"
#include "coo_on_device.cuh"

namespace edgewise::testing {

template run_result<float> coo_on_device<scattered_weighted_sum, float, false>(run_request<float> const&);
template run_result<float> coo_on_device<scattered_weighted_sum, float, true>(run_request<float> const&);
template run_result<double> coo_on_device<scattered_weighted_sum, double, false>(run_request<double> const&);
template run_result<float> coo_on_device<scattered_differences, float, false>(run_request<float> const&);
template run_result<float> coo_on_device<scattered_scores, float, false>(run_request<float> const&);
template run_result<float> coo_on_device<scattered_per_channel, float, false>(run_request<float> const&);
template run_result<float> coo_on_device<scattered_vectors, float, false>(run_request<float> const&);
template run_result<float> coo_on_device<scattered_extremum<edgewise::max>, float, false>(run_request<float> const&);
template run_result<float> coo_on_device<scattered_extremum<edgewise::min>, float, false>(run_request<float> const&);

}  // namespace edgewise::testing
