#include <edgewise/format/normalize.cuh>

#include "../support/device.cuh"
#include "../support/device_graph.cuh"
#include "normalize_device.hpp"

namespace edgewise::testing {
namespace {

template <class Offset, class Real>
device_normalization<Real> normalize(test_graph const& edges, normalize_options options,
                                     std::vector<Real> const& weights) {
  device_graph<Offset> const on_device(edges);
  device_array<Real> const edge_weights(weights);
  device_stream const stream;
  cuda const exec{.stream = stream.get()};
  graph const g{on_device.csr(), on_device.csc()};
  Real const* const read = weights.empty() ? nullptr : edge_weights.data();
  device_normalization<Real> result;
  {
    auto const factors = normalize_vertices<Real>(exec, g, options, read);
    result.factors.source = to_host(exec, factors.source);
    result.factors.destination = to_host(exec, factors.destination);
    result.edges = to_host(exec, normalize_edges<Real>(exec, g, options, read));
    result.edges_again = to_host(exec, normalize_edges<Real>(exec, g, options, read));
  }
  stream.synchronize();
  return result;
}

}  // namespace

device_normalization<float> normalize_on_device(test_graph const& edges, normalize_options options,
                                                std::vector<float> const& weights, bool wide_offsets) {
  return wide_offsets ? normalize<std::int64_t>(edges, options, weights) : normalize<int>(edges, options, weights);
}
device_normalization<double> normalize_on_device(test_graph const& edges, normalize_options options,
                                                 std::vector<double> const& weights, bool wide_offsets) {
  return wide_offsets ? normalize<std::int64_t>(edges, options, weights) : normalize<int>(edges, options, weights);
}

}  // namespace edgewise::testing
