#include "same_edges_device_test.hpp"

#include <vector>

#include <edgewise/edgewise.cuh>

#include "support/device.cuh"
#include "support/device_graph.cuh"

namespace edgewise::testing {

namespace {

struct h;
struct w;

template <class Offset, bool IsWeighted, class Program>
std::string refusal_of(test_graph const& edges, Program const& program) {
  device_graph<Offset> const arrays(edges);
  device_array<float> const features(std::vector<float>(static_cast<std::size_t>(edges.num_sources) + 1, 1.0f));
  device_array<float> const weights(std::vector<float>(static_cast<std::size_t>(edges.num_edges()) + 1, 1.0f));
  device_stream const stream;
  cuda const exec{.stream = stream.get()};
  auto const kernel = fuse(graph{arrays.csr(), arrays.csc()}, feature_adaptive_group{}, program);
  auto const feature = bind<h>(per_row(features.data(), edges.num_sources));
  try {
    if constexpr (IsWeighted) {
      kernel.plan(exec, bindings(feature, bind<w>(per_row(weights.data(), edges.num_edges()))));
    } else {
      kernel.plan(exec, bindings(feature));
    }
  } catch (invalid_argument const& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

std::string refusal_of_weighted_sum(test_graph const& edges) {
  return refusal_of<int, true>(edges, gather<sum>(edge<w> * src<h>));
}
std::string refusal_of_plain_sum(test_graph const& edges) { return refusal_of<int, false>(edges, gather<sum>(src<h>)); }
std::string refusal_of_maximum(test_graph const& edges) { return refusal_of<int, false>(edges, gather<max>(src<h>)); }
std::string refusal_of_wide_offsets(test_graph const& edges) {
  return refusal_of<std::int64_t, true>(edges, gather<sum>(edge<w> * src<h>));
}

}  // namespace edgewise::testing
