#include "device_machine.cuh"
#include "program/edge_cases.hpp"
#include "scatter_device_test.hpp"
#include "scatter_run.hpp"

namespace edgewise::testing {

template <class Case, class T, bool Shuffled>
run_result<T> scatter_on_device(run_request<T> const& request) {
  device_machine const machine;
  return run_scattered<Case>(machine, request, Shuffled ? edge_order::shuffled : edge_order::by_id);
}

template run_result<float> scatter_on_device<exact_edge_dot, float, true>(run_request<float> const&);
template run_result<float> scatter_on_device<stored_as<exact_edge_dot, bfloat16>, float, true>(
    run_request<float> const&);

}  // namespace edgewise::testing
