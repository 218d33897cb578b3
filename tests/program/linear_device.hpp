// Programs with dense products on the device, without CUDA headers.
#pragma once

#include "linear_cases.hpp"

namespace edgewise::testing {

/// In float.
template <class Case>
linear_result run_linear_on_device(test_graph const& graph, linear_inputs const& in,
                                   std::vector<double> const& adjoint);

}  // namespace edgewise::testing
