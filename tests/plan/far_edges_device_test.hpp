// What far_edges_device_test.cu runs on the device for far_edges_device_test.cpp to judge.
#pragma once

#include "far_edges.hpp"

namespace edgewise::testing {

/// Runs a case on offsets beyond 2^32.
template <class Case>
run_result<float> run_far_on_device(run_request<float> const& request);

}  // namespace edgewise::testing
