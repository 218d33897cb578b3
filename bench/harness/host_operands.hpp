// The host arrays of one weighted sum, and its float64 check.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <edgewise/core/memory.hpp>

#include "host_graph.hpp"
#include "random_value.hpp"
#include "spot_check.hpp"

namespace edgewise::bench {

/// out[row, :] = sum over the row's positions k of weights[k] * features[neighbors[k], :], in float.
/// Shapes: weights [E] in the order of positions, features [num_neighbors, channels]. The grouping must outlive it.
struct host_weighted_sum {
  host_grouping const* rows;
  std::int32_t channels;
  std::vector<float> weights;
  edgewise::host_buffer<float> features;  // in huge pages, for whoever reads it

  static constexpr std::uint64_t weight_seed = 1, feature_seed = 2;

  host_weighted_sum(host_grouping const& grouping, std::int32_t width)
      : rows(&grouping),
        channels(width),
        weights(grouping.neighbors.size()),
        features(static_cast<std::size_t>(grouping.num_neighbors) * static_cast<std::size_t>(width),
                 edgewise::host_memory()) {
    for (std::size_t k = 0; k < weights.size(); ++k) {
      weights[k] =
          random_value(weight_seed, static_cast<std::uint64_t>(grouping.edge_id(static_cast<std::int32_t>(k))));
    }
    for (std::size_t i = 0; i < features.size(); ++i) features[i] = random_value(feature_seed, i);
  }

  /// Elements of the output.
  std::size_t out_size() const {
    return static_cast<std::size_t>(rows->num_rows()) * static_cast<std::size_t>(channels);
  }

  /// Compares sampled rows of `out` [num_rows, channels] with float64.
  error_meter check(float const* out) const {
    error_meter meter(0x1p-23);
    auto const weight = [](std::uint64_t edge) { return double{random_value(weight_seed, edge)}; };
    auto const feature = [](std::uint64_t i) { return double{random_value(feature_seed, i)}; };
    for (std::int32_t row : sampled_rows(*rows, 60)) {
      auto const expected = weighted_sum_row(*rows, row, channels, weight, feature);
      float const* actual = out + static_cast<std::size_t>(row) * static_cast<std::size_t>(channels);
      for (std::size_t channel = 0; channel < expected.values.size(); ++channel) {
        meter.add(actual[channel], expected.values[channel], expected.magnitudes[channel], expected.terms);
      }
    }
    return meter;
  }
};

}  // namespace edgewise::bench
