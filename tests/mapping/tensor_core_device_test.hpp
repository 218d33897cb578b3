// Running side of the test of tensor_core on a device.
#pragma once

#include "plan/program_case.hpp"

namespace edgewise::testing {

struct tile_options;

template <class Case>
run_result<float> run_over_tiles_on_device(run_request<float> const& request, tile_options const& options);

}  // namespace edgewise::testing
