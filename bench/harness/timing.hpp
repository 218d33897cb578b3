// Order statistics of repeated measurements.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <edgewise/core/error.hpp>

namespace edgewise::bench {

/// Time of one launch: the median over `replays` replays of `launches` launches each.
/// `spread` is the interquartile range over the median: a plain number that one slow replay does not move.
struct timing {
  double median_ms = 0;
  double spread = 0;
  int launches = 0;
  int replays = 0;
};

/// The q-quantile of ascending `sorted`, linear between neighbors. Throws `invalid_argument` when it is empty.
inline double quantile(std::vector<double> const& sorted, double q) {
  if (sorted.empty()) throw invalid_argument("quantile: no samples");
  double const position = q * static_cast<double>(sorted.size() - 1);
  auto const below = static_cast<std::size_t>(position);
  auto const above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (position - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

/// Median and spread of `ms_per_launch`, one sample per replay. Throws `invalid_argument` when there is none.
inline timing summarize(std::vector<double> ms_per_launch, int launches) {
  std::sort(ms_per_launch.begin(), ms_per_launch.end());
  double const median = quantile(ms_per_launch, 0.5);
  double const range = quantile(ms_per_launch, 0.75) - quantile(ms_per_launch, 0.25);
  return {median, median > 0 ? range / median : 0, launches, static_cast<int>(ms_per_launch.size())};
}

}  // namespace edgewise::bench
