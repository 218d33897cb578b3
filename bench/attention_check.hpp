// Compares what an attention program wrote with float64, on a sample of rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "attention_reference.hpp"
#include "harness/spot_check.hpp"

namespace edgewise::bench {

/// What the passes write; shapes of what they are the gradients of.
enum class attention_array { out, destination_grad, key_grad, value_grad, parameter_grad, feature_grad };

/// Adds the errors of one pass to `meter`. read(array, row, width): the numbers of a row. Sources whose sample would
/// take too long, and parameters of large graphs, are left out. `row_per_group`: sums run over rows of any length one
/// edge after the other, whose roundings add up where terms have one sign.
template <class Read>
void check_attention(attention_reference& reference, bool backward, bool row_per_group, error_meter& meter,
                     Read const& read) {
  constexpr int num_sampled_rows = 20;
  constexpr double largest_cost = 3e7;
  host_graph const& graph = reference.graph();
  attention_shape const shape = reference.shape();
  auto const compare = [&](attention_reference::row const& expected, attention_array of, std::int64_t row) {
    auto const values = read(of, row, expected.values.size());
    // Softmax weights carry the rounding of scores and of the exponential, about 2^-22 of themselves: four times the
    // plain sum's limit.
    for (std::size_t i = 0; i < expected.values.size(); ++i) {
      double const terms = std::max(1.0, expected.terms);
      double const growth = row_per_group ? std::max(1.0, std::sqrt(terms) / 64) : 1;
      meter.add(values[i], expected.values[i], 4 * growth * expected.magnitudes[i], terms);
    }
  };
  for (std::int32_t v : sampled_rows(graph.by_destination, num_sampled_rows)) {
    if (!backward) {
      compare(reference.out(v), attention_array::out, v);
      continue;
    }
    compare(reference.destination_grad(v), attention_array::destination_grad, v);
    auto const& offsets = graph.by_destination.offsets;
    for (std::int32_t k = offsets[v]; k < offsets[v + 1] && k < offsets[v] + 2 && shape.has_feature(); ++k) {
      compare(reference.feature_grad(v, k), attention_array::feature_grad, graph.by_destination.edge_id(k));
    }
  }
  if (!backward) return;
  double left = largest_cost;
  for (std::int32_t u : sampled_rows(graph.by_source, num_sampled_rows)) {
    double const cost = reference.source_cost(u);
    if (cost > left) continue;
    left -= cost;
    compare(reference.key_grad(u), attention_array::key_grad, u);
    if (shape.has_value()) compare(reference.value_grad(u), attention_array::value_grad, u);
  }
  double const size = static_cast<double>(graph.by_destination.num_edges() * shape.width());
  if (shape.form == attention_form::gatv2 && size < largest_cost) {
    compare(reference.parameter_grad(), attention_array::parameter_grad, 0);
  }
}

}  // namespace edgewise::bench
