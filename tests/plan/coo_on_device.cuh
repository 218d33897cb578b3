// The running side of the tests that scatter over graph{coo} on a device.
#pragma once

#include "coo_device_test.hpp"
#include "coo_run.hpp"
#include "device_machine.cuh"

namespace edgewise::testing {

template <class Case, class T, bool Shuffled>
run_result<T> coo_on_device(run_request<T> const& request) {
  device_machine const machine;
  return run_scattered<Case>(machine, request, Shuffled ? edge_order::shuffled : edge_order::by_id);
}

}  // namespace edgewise::testing
