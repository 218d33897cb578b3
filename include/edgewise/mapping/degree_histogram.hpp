// How many rows of a grouping have how many edges: what mappings that cut by quantile read, and statistics by which
// measured choices are remembered.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include <edgewise/core/config.hpp>
#include <edgewise/core/error.hpp>
#include <edgewise/mapping/work_split.hpp>

namespace edgewise::inline v0 {

namespace detail {

/// Degrees below this have a class each, those above share one with all degrees of as many binary digits.
inline constexpr int exact_degrees = 4096;
inline constexpr int exact_digits = 12;
inline constexpr int degree_histogram_classes = exact_degrees + 64 - exact_digits;

/// floor(log2(x)) of x >= 1.
EDGEWISE_HD constexpr int floor_log2(std::int64_t x) {
  int digits = 0;
  while (x > 1) {
    x >>= 1;
    ++digits;
  }
  return digits;
}

/// The class of rows of `degree` edges.
EDGEWISE_HD constexpr int histogram_class(std::int64_t degree) {
  return degree < exact_degrees ? static_cast<int>(degree) : exact_degrees + floor_log2(degree) - exact_digits;
}

}  // namespace detail

/// Whether a mapping decides by the degrees of rows: never, where that is at hand and makes a difference (plans for one
/// graph on a GPU), or always.
enum class degree_use { never, welcome, required };

/// Degrees of the rows of one grouping. Plain data on the host, wherever the graph lies.
class degree_histogram {
public:
  degree_histogram() = default;
  /// Shapes: counts [detail::degree_histogram_classes], rows by `detail::histogram_class` of their degree.
  degree_histogram(workload work, std::int64_t max_degree, std::vector<std::int32_t> counts,
                   double distinct_neighbors = 1, double distinct_in_window = 1)
      : work_(work),
        max_degree_(max_degree),
        counts_(std::move(counts)),
        distinct_neighbors_(distinct_neighbors),
        distinct_in_window_(distinct_in_window) {
    for (std::size_t k = 0; k < counts_.size(); ++k) {
      if (counts_[k] > 0) classes_.push_back(k);
    }
  }

  workload work() const { return work_; }
  std::int64_t max_degree() const { return max_degree_; }
  /// Different neighbors of rows that lie side by side, over those of as many rows far apart: 1 where the order
  /// of rows says nothing, less for grids and communities. Of a sample, where a device has read it and there are more
  /// than 2 * `window_rows` rows; else 1.
  double distinct_neighbors() const { return distinct_neighbors_; }
  /// Different neighbors of rows that lie side by side, over those of as many rows of one window (`window_rows`): 1
  /// where a window's rows share them however they are ordered. Known where `distinct_neighbors` is.
  /// Also 1 where the sample, of about 4096 edges, is more than half a window: rows of less than four edges.
  double distinct_in_window() const { return distinct_in_window_; }

  /// The least d such that at least the part `q` of all rows has at most d edges; 0 without rows. Exact below 4096,
  /// above it the largest degree of as many binary digits. Throws `invalid_argument` unless 0 <= q <= 1.
  std::int64_t quantile(double q) const {
    if (!(q >= 0 && q <= 1)) throw invalid_argument(detail::text("quantile: ", q, " is not between 0 and 1"));
    double const wanted = q * static_cast<double>(work_.num_rows);
    std::int64_t rows = 0;
    for (std::size_t const k : classes_) {
      rows += counts_[k];
      if (static_cast<double>(rows) >= wanted) {
        return largest_of(k);
      }
    }
    return max_degree_;
  }

  /// Do all degrees have a class of their own?
  bool is_exact() const { return !counts_.empty() && max_degree_ < detail::exact_degrees; }

  /// Pieces that rows of more than `max_edges` edges are cut into, all of them together. Exact where degrees are below
  /// 4096, at most twice as many as there are otherwise.
  std::int64_t num_pieces(std::int64_t max_edges) const {
    std::int64_t pieces = 0;
    for (std::size_t const k : classes_) {
      std::int64_t const degree = largest_of(k);
      if (degree > max_edges) pieces += counts_[k] * ((degree + max_edges - 1) / max_edges);
    }
    return pieces;
  }

  /// Standard deviation of the degrees, in edges. Degrees above 4095 count by their binary digits.
  double deviation() const {
    if (work_.num_rows == 0 || work_.num_edges == 0) return 0;
    double squares = 0;
    for (std::size_t const k : classes_) {
      double degree = static_cast<double>(k);
      if (k >= detail::exact_degrees) {
        int const digits = static_cast<int>(k) - detail::exact_degrees + detail::exact_digits;
        double const least = static_cast<double>(std::int64_t{1} << digits);
        degree = 1.5 * least < static_cast<double>(max_degree_) ? 1.5 * least : static_cast<double>(max_degree_);
      }
      squares += static_cast<double>(counts_[k]) * degree * degree;
    }
    double const rows = static_cast<double>(work_.num_rows);
    double const mean = static_cast<double>(work_.num_edges) / rows;
    double const variance = squares / rows - mean * mean;
    return variance > 0 ? std::sqrt(variance) : 0;
  }

  /// Rows of 0 edges, of 1, of 2 to 3, of 4 to 7 and so on.
  std::array<std::int64_t, 65> by_digits() const {
    std::array<std::int64_t, 65> bins{};
    for (std::size_t const k : classes_) {
      int const digits = k >= detail::exact_degrees ? static_cast<int>(k) - detail::exact_degrees + detail::exact_digits
                                                    : detail::floor_log2(static_cast<std::int64_t>(k));
      bins[k == 0 ? 0 : static_cast<std::size_t>(digits) + 1] += counts_[k];
    }
    return bins;
  }

private:
  /// The largest degree that rows of class k have.
  std::int64_t largest_of(std::size_t k) const {
    if (k < detail::exact_degrees) return static_cast<std::int64_t>(k);
    int const digits = static_cast<int>(k) - detail::exact_degrees + detail::exact_digits + 1;
    std::int64_t const largest = digits < 63 ? (std::int64_t{1} << digits) - 1 : max_degree_;
    return largest < max_degree_ ? largest : max_degree_;
  }

  workload work_;
  std::int64_t max_degree_ = 0;
  std::vector<std::int32_t> counts_;
  std::vector<std::size_t> classes_;  ///< those that have rows: a mapping asks for the pieces of many lengths
  double distinct_neighbors_ = 1;
  double distinct_in_window_ = 1;
};

}  // namespace edgewise::inline v0
