// Maxima and minima with the sources that they were taken from, on the host or the device.
#pragma once

#include <vector>

#include <edgewise/edgewise.hpp>

#include "support/test_graph.hpp"

namespace edgewise::testing {

struct h;

/// Features [sources, 2 heads, 3 channels] and what is asked of them: the sources of the largest and of the smallest.
inline constexpr int source_heads = 2;
inline constexpr int source_channels = 3;
inline constexpr int source_elements = source_heads * source_channels;
struct found_sources {
  std::vector<int> largest, smallest;
};

/// Runs both gathers over g. Asynchronous on a device, but for the plan. Shapes: [destinations, 2, 3].
template <class Exec, class Graph>
void find_sources(Exec const& exec, Graph const& g, int num_sources, int num_destinations, float const* features,
                  float* values, int* largest, int* smallest) {
  auto const rows = [&](auto* data) { return wide(data, num_destinations, source_heads, source_channels); };
  auto const in = bindings(bind<h>(wide(features, num_sources, source_heads, source_channels)));
  auto const program = gather<edgewise::max>(src<h>) + gather<edgewise::min>(src<h>);
  auto const plan = fuse(g, automatic{}, program).plan(exec, in);
  auto saved = plan.make_saved(exec);
  plan.forward(exec, in, out(rows(values)), saved);
  argument_sources(exec, g, saved.template argument<0>(), out(rows(largest)));
  argument_sources(exec, g, saved.template argument<1>(), out(rows(smallest)));
}

found_sources sources_on_device(test_graph const& graph, std::vector<float> const& features);

}  // namespace edgewise::testing
