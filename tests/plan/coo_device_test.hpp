// How the judging side of the scatter test reaches its running side, without CUDA headers.
#pragma once

#include "program_case.hpp"

namespace edgewise::testing {

/// Runs a case over graph{coo} on the current device, edges in shuffled order with ids or by id without.
/// Defined in coo_on_device.cuh, instantiated in the .cu beside each .cpp for its cases.
template <class Case, class T, bool Shuffled>
run_result<T> coo_on_device(run_request<T> const& request);

}  // namespace edgewise::testing
