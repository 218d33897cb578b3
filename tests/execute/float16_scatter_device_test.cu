#include "device_machine.cuh"
#include "scatter_cases.hpp"
#include "scatter_device_test.hpp"
#include "scatter_run.hpp"

namespace edgewise::testing {

template <class Case, class T, bool Shuffled>
run_result<T> scatter_on_device(run_request<T> const& request) {
  device_machine const machine;
  return run_scattered<Case>(machine, request, Shuffled ? edge_order::shuffled : edge_order::by_id);
}

template run_result<float> scatter_on_device<scattered_all_bfloat16, float, true>(run_request<float> const&);
template run_result<float> scatter_on_device<scattered_adding_bfloat16, float, true>(run_request<float> const&);
template run_result<float> scatter_on_device<scattered_all_float16, float, true>(run_request<float> const&);
template run_result<float> scatter_on_device<scattered_float16_vectors, float, true>(run_request<float> const&);
template run_result<float> scatter_on_device<scattered_bfloat16_extremum, float, false>(run_request<float> const&);

}  // namespace edgewise::testing
