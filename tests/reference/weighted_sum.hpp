// Reference of the weighted sum of neighbors: out[v,h,l] = sum over e = (u -> v) of weight[e] * features[u,h,l].
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include <edgewise/core/error.hpp>

#include "gather.hpp"

namespace edgewise::reference {

/// The shape of an edge weight: [E], [E, heads] or [E, heads, channels].
enum class weight_kind { per_row, per_head, wide };

/// How many numbers a weight of this kind has for each edge.
inline std::size_t weights_per_edge(weight_kind kind, int heads, int channels) {
  if (kind == weight_kind::per_row) return 1;
  return static_cast<std::size_t>(heads) * (kind == weight_kind::per_head ? 1 : channels);
}

/// The weighted sum. Shapes: weight by edge id, as `kind` says; features [num_sources, heads, channels];
/// out [num_destinations, heads, channels]. Throws `invalid_argument` naming the operand and both sizes.
inline expected_values reference_weighted_sum(test_graph const& graph, int heads, int channels, weight_kind kind,
                                              std::vector<double> const& weight, std::vector<double> const& features) {
  std::size_t const width = static_cast<std::size_t>(heads) * channels;
  auto require_size = [](char const* operand, std::size_t size, std::size_t wanted) {
    if (size == wanted) return;
    throw invalid_argument(
        edgewise::detail::text("reference_weighted_sum: ", operand, " has ", size, " elements, expected ", wanted));
  };
  require_size("weight", weight.size(), graph.num_edges() * weights_per_edge(kind, heads, channels));
  require_size("features", features.size(), graph.num_sources * width);

  expected_values out(graph.num_destinations, width);
  for (int edge = 0; edge < graph.num_edges(); ++edge) {
    std::size_t const source = graph.sources[edge];
    std::size_t const destination = graph.destinations[edge];
    for (int head = 0; head < heads; ++head) {
      for (int channel = 0; channel < channels; ++channel) {
        std::size_t const element = static_cast<std::size_t>(head) * channels + channel;
        double w = 0;
        if (kind == weight_kind::per_row) w = weight[edge];
        if (kind == weight_kind::per_head) w = weight[static_cast<std::size_t>(edge) * heads + head];
        if (kind == weight_kind::wide) w = weight[edge * width + element];
        double const message = w * features[source * width + element];
        out.value[destination * width + element] += message;
        out.scale[destination * width + element] += std::abs(message);
        out.terms[destination * width + element] += 1;
      }
    }
  }
  return out;
}

}  // namespace edgewise::reference
