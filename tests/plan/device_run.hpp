// How the judging side of a GPU test reaches its running side, without CUDA headers.
#pragma once

#include "program_case.hpp"

namespace edgewise::testing {

/// Runs a case on the current device. Defined in device_machine.cuh; X_device_test.cu instantiates it for the cases of
/// X_device_test.cpp.
template <class Case, class T>
run_result<T> run_on_device(run_request<T> const& request);

}  // namespace edgewise::testing
