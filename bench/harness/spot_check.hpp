// Checks a result against float64 on a sample of its rows, before it is timed.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "host_graph.hpp"
#include "random_value.hpp"

namespace edgewise::bench {

/// Collects elementwise errors, each relative to the sum of the absolute values of the element's terms.
/// The terms have random signs, so partial sums stay near Sum|terms| / sqrt(terms) and float rounding near 2^-25
/// Sum|terms|. The limit allows 16 times that, and four roundings of value or partial sum to the storage type; in float
/// it is tight enough that one lost edge of a hub with 10^4 edges is seen. NaN never passes.
class error_meter {
public:
  /// smallest_step: the distance of stored numbers next to 0, where it is more than sums of small terms (float16).
  explicit error_meter(double storage_epsilon, double smallest_step = 0)
      : storage_epsilon_(storage_epsilon), smallest_step_(smallest_step) {}

  void add(double actual, double expected, double sum_of_magnitudes, double terms) {
    double const difference = std::abs(actual - expected);
    if (difference == 0) return;
    double error = difference / sum_of_magnitudes;  // infinite where an empty sum is not 0
    if (std::isnan(error)) error = std::numeric_limits<double>::infinity();
    double const stored_size = std::abs(expected) + 4 * sum_of_magnitudes / std::sqrt(terms);
    double const limit = storage_epsilon_ * stored_size + 0x1p-21 * sum_of_magnitudes + smallest_step_;
    if (error > worst_error_) worst_error_ = error;
    if (!(difference <= limit)) passed_ = false;
  }

  double worst_error() const { return worst_error_; }
  bool passed() const { return passed_; }

private:
  double storage_epsilon_;
  double smallest_step_;
  double worst_error_ = 0;
  bool passed_ = true;
};

/// Rows that a check reads: the first, the last, the one with the most edges, the first empty one, and `count` hashed.
inline std::vector<std::int32_t> sampled_rows(host_grouping const& grouping, int count) {
  std::int32_t const num_rows = grouping.num_rows();
  if (num_rows == 0) return {};
  auto degree = [&](std::int32_t row) { return grouping.offsets[row + 1] - grouping.offsets[row]; };
  std::int32_t longest = 0;
  std::int32_t empty = -1;
  for (std::int32_t row = 0; row < num_rows; ++row) {
    if (degree(row) > degree(longest)) longest = row;
    if (empty < 0 && degree(row) == 0) empty = row;
  }
  std::vector<std::int32_t> rows{0, num_rows - 1, longest};
  if (empty >= 0) rows.push_back(empty);
  for (int i = 0; i < count; ++i) {
    double const uniform = (random_value(0x5a, static_cast<std::uint64_t>(i)) + 1.0) / 2;
    rows.push_back(static_cast<std::int32_t>(uniform * num_rows));
  }
  return rows;
}

/// One row of out[row, :] = sum over the row's edges of weight[edge] * feature[neighbor, :], in float64.
/// `magnitudes` holds the sums of the absolute values of the terms. Shapes: both [channels].
struct reference_row {
  std::vector<double> values;
  std::vector<double> magnitudes;
  double terms = 0;
};

/// `weight(edge_id)` and `feature(index)`, index = neighbor * channels + channel, return the stored values as double.
template <class Weight, class Feature>
reference_row weighted_sum_row(host_grouping const& grouping, std::int32_t row, std::int32_t channels, Weight&& weight,
                               Feature&& feature) {
  auto const width = static_cast<std::size_t>(channels);
  reference_row result{std::vector<double>(width), std::vector<double>(width), 0};
  for (std::int32_t k = grouping.offsets[row]; k < grouping.offsets[row + 1]; ++k) {
    double const w = weight(static_cast<std::uint64_t>(grouping.edge_id(k)));
    auto const begin = static_cast<std::uint64_t>(grouping.neighbors[k]) * width;
    for (std::size_t channel = 0; channel < width; ++channel) {
      double const term = w * feature(begin + channel);
      result.values[channel] += term;
      result.magnitudes[channel] += std::abs(term);
    }
    result.terms += 1;
  }
  return result;
}

/// dot(left[i, :], right[j, :]) in float64; `left(index)` and `right(index)` as above. `values` and `magnitudes` hold
/// one.
template <class Left, class Right>
reference_row dot_product(std::int32_t i, std::int32_t j, std::int32_t channels, Left&& left, Right&& right) {
  reference_row result{{0.0}, {0.0}, static_cast<double>(channels)};
  for (std::int32_t channel = 0; channel < channels; ++channel) {
    double const term = static_cast<double>(left(static_cast<std::uint64_t>(i) * channels + channel)) *
                        right(static_cast<std::uint64_t>(j) * channels + channel);
    result.values[0] += term;
    result.magnitudes[0] += std::abs(term);
  }
  return result;
}

}  // namespace edgewise::bench
