// How the judging side of the test of softmax over ungrouped edges reaches its running side, without CUDA headers.
#pragma once

#include "program_case.hpp"

namespace edgewise::testing {

/// Runs a case over graph{coo} on the current device, edges in shuffled order with ids or by id without.
/// Defined in scatter_softmax_device_test.cu for the cases of scatter_softmax_device_test.cpp.
template <class Case, class T, bool Shuffled>
run_result<T> scatter_softmax_on_device(run_request<T> const& request);

}  // namespace edgewise::testing
