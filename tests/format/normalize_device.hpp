// Runs of the device normalisation, returned in host memory for a host compiler to check.
#pragma once

#include <vector>

#include <edgewise/format/normalize.hpp>

#include "../support/test_graph.hpp"

namespace edgewise::testing {

template <class Real>
struct device_normalization {
  vertex_factors<Real> factors;
  host_buffer<Real> edges;
  host_buffer<Real> edges_again;  // the same call once more
};

/// Normalises `graph` on the device, with 64-bit offsets if `wide_offsets`; empty weights mean weights 1.
device_normalization<float> normalize_on_device(test_graph const& graph, normalize_options options,
                                                std::vector<float> const& weights, bool wide_offsets);
device_normalization<double> normalize_on_device(test_graph const& graph, normalize_options options,
                                                 std::vector<double> const& weights, bool wide_offsets);

}  // namespace edgewise::testing
