// How the judging side of the table's GPU tests reaches its running side.
#pragma once

#include "plan/program_case.hpp"

namespace edgewise::testing {

/// Runs the cell at a position of the table of a gather on the current device. Defined in table_device.cuh;
/// table_X_device_test.cu instantiates it.
template <class Gather>
run_result<double> run_cell_on_device(int position, run_request<double> const& request);

}  // namespace edgewise::testing
