// The running side of the table's GPU tests.
#pragma once

#include "plan/device_machine.cuh"
#include "table_cases.hpp"
#include "table_device.hpp"

namespace edgewise::testing {

template <class Gather>
run_result<double> run_cell_on_device(int position, run_request<double> const& request) {
  run_result<double> result;
  table::for_each_cell<Gather>([&]<class Cell>(type_tag<Cell>) {
    if (position-- == 0) result = run_on_device<Cell, double>(request);
  });
  return result;
}

}  // namespace edgewise::testing
