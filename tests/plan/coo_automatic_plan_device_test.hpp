// How the judging side of the test of `automatic` over graph{coo} reaches its running side, without CUDA headers.
#pragma once

#include "program_case.hpp"

namespace edgewise::testing {

/// Runs a case over graph{coo} on the current device with `automatic`, which groups the edges or, where it may,
/// scatters them. Defined and instantiated in the .cu beside the .cpp.
template <class Case, bool Scatters>
run_result<float> choose_on_device(run_request<float> const& request);

/// Does `automatic` group the edges of a graph on the current device where `passes` are expected?
bool groups_on_device(double passes);

}  // namespace edgewise::testing
