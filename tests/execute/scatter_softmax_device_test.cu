#include "scatter_softmax_device_test.hpp"

#include "device_machine.cuh"
#include "program/attention_cases.hpp"
#include "program/dropout_cases.hpp"
#include "scatter_run.hpp"

namespace edgewise::testing {

template <class Case, class T, bool Shuffled>
run_result<T> scatter_softmax_on_device(run_request<T> const& request) {
  device_machine const machine;
  return run_scattered<Case>(machine, request, Shuffled ? edge_order::shuffled : edge_order::by_id);
}

template run_result<float> scatter_softmax_on_device<transformer, float, false>(run_request<float> const&);
template run_result<float> scatter_softmax_on_device<gat, float, false>(run_request<float> const&);
template run_result<float> scatter_softmax_on_device<stored_as<gat, bfloat16>, float, true>(run_request<float> const&);
template run_result<double> scatter_softmax_on_device<gat, double, true>(run_request<double> const&);
template run_result<float> scatter_softmax_on_device<gatv2, float, true>(run_request<float> const&);
template run_result<float> scatter_softmax_on_device<edge_values, float, true>(run_request<float> const&);
template run_result<float> scatter_softmax_on_device<dropped_attention, float, true>(run_request<float> const&);

}  // namespace edgewise::testing
