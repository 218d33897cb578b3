#include "scatter_device_test.hpp"

#include "device_machine.cuh"
#include "scatter_cases.hpp"
#include "scatter_run.hpp"

namespace edgewise::testing {

template <class Case, class T, bool Shuffled>
run_result<T> scatter_on_device(run_request<T> const& request) {
  device_machine const machine;
  return run_scattered<Case>(machine, request, Shuffled ? edge_order::shuffled : edge_order::by_id);
}

template run_result<float> scatter_on_device<scattered_weighted_sum, float, false>(run_request<float> const&);
template run_result<float> scatter_on_device<scattered_weighted_sum, float, true>(run_request<float> const&);
template run_result<double> scatter_on_device<scattered_weighted_sum, double, false>(run_request<double> const&);
template run_result<float> scatter_on_device<scattered_differences, float, false>(run_request<float> const&);
template run_result<float> scatter_on_device<scattered_scores, float, false>(run_request<float> const&);
template run_result<float> scatter_on_device<scattered_per_lane, float, false>(run_request<float> const&);
template run_result<float> scatter_on_device<scattered_vectors, float, false>(run_request<float> const&);
template run_result<float> scatter_on_device<scattered_extremum<edgewise::max>, float, false>(
    run_request<float> const&);
template run_result<float> scatter_on_device<scattered_extremum<edgewise::min>, float, false>(
    run_request<float> const&);

}  // namespace edgewise::testing
