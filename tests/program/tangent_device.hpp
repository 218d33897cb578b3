// Programs with tangents on the device, without CUDA headers.
#pragma once

#include "tangent_cases.hpp"

namespace edgewise::testing {

/// In with_tangent<float>.
template <class Case>
tangent_results run_tangents_on_device(test_graph const& graph, tangent_inputs const& in);

}  // namespace edgewise::testing
