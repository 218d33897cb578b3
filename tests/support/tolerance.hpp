// Elementwise comparison with float64 expectations: wrong values must be flagged, correct roundings must pass.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <ostream>
#include <vector>

#include <edgewise/core/error.hpp>

#include "number_format.hpp"

namespace edgewise::testing {

/// Expected values of an array, in float64, with what their rounding errors are proportional to.
/// Shapes: all three [size]; `terms` = how many numbers were combined, `scale` = the sum of their absolute values.
struct expected_values {
  std::vector<double> value;
  std::vector<double> scale;
  std::vector<double> terms;
  std::size_t row_size = 1;  // elements of one row, for messages only

  expected_values() = default;
  expected_values(std::size_t num_rows, std::size_t elements_per_row)
      : value(num_rows * elements_per_row, 0.0),
        scale(value.size(), 0.0),
        terms(value.size(), 0.0),
        row_size(elements_per_row) {}

  std::size_t size() const { return value.size(); }
};

/// Whether an expected NaN accepts an actual NaN. A NaN where a number is expected never passes.
enum class nan_policy { reject, match };

/// How rounding errors add up over the terms of a sum.
/// `square_root`: as independent errors do (Higham & Mary 2019, doi:10.1137/18M1226312). The worst case, `linear`,
/// would hide a whole missing edge in a row of some thousand edges.
enum class error_growth { square_root, linear };

/// The rule: |actual - expected| <= k * (growth(terms) * eps(accumulator) + max(eps(storage), eps(read))) * scale, plus
/// k underflows; eps(read) is that of rounded results which the computation itself reads. Where `scale` is 0 (empty
/// rows) the value must be equal. `k = 0` asks for equality everywhere.
struct tolerance_rule {
  double k = 4;
  error_growth growth = error_growth::square_root;
  nan_policy nan = nan_policy::reject;
  double epsilon_of_read = 0;
};

/// The rule for results that no correct implementation rounds: copies, maxima of copies, sums of small integers.
inline constexpr tolerance_rule exactly{.k = 0};

/// What a comparison found; true when no element is bad. Prints the first bad element.
struct comparison {
  std::size_t num_elements = 0;
  std::size_t num_bad = 0;
  std::size_t first_bad = 0;
  std::size_t row_size = 1;
  double expected = 0;  // these three are the first bad element's
  double actual = 0;
  double tolerance = 0;
  double worst_ratio = 0;  // largest |actual - expected| / tolerance of all elements; infinite where tolerance is 0

  explicit operator bool() const { return num_bad == 0; }

  friend std::ostream& operator<<(std::ostream& stream, comparison const& x) {
    if (x.num_bad == 0)
      return stream << x.num_elements << " elements agree, worst error " << x.worst_ratio << " tolerances";
    auto const precision = stream.precision(17);
    stream << x.num_bad << " of " << x.num_elements << " elements are wrong; the first is [" << x.first_bad << "] (row "
           << x.first_bad / x.row_size << ", element " << x.first_bad % x.row_size << "): expected " << x.expected
           << ", actual " << x.actual << ", tolerance " << x.tolerance << "; worst error " << x.worst_ratio
           << " tolerances";
    stream.precision(precision);
    return stream;
  }
};

/// The absolute error that `rule` allows a result of storage type T with this many terms and this scale.
inline double tolerance_of(tolerance_rule const& rule, number_format const& format, double terms, double scale) {
  if (rule.k == 0 || scale == 0) return 0;
  double const count = std::max(terms, 1.0);
  double const growth = rule.growth == error_growth::linear ? count : std::sqrt(count);
  double const rounding = std::max(format.epsilon, rule.epsilon_of_read);
  return rule.k * ((growth * format.accumulator_epsilon + rounding) * scale + format.underflow);
}

namespace detail {

/// |actual - expected| in aggregations of the tolerance: at most 1 passes.
inline double error_ratio(double actual, double expected, double tolerance, number_format const& format,
                          nan_policy nan) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  if (std::isnan(actual) || std::isnan(expected)) {
    bool const both = std::isnan(actual) && std::isnan(expected);
    return both && nan == nan_policy::match ? 0 : infinite;
  }
  if (actual == expected) return 0;
  // A value that T cannot hold overflows to the infinity of its sign.
  if (std::isinf(actual) && std::abs(expected) > format.largest) return (actual > 0) == (expected > 0) ? 0 : infinite;
  if (std::isinf(actual) || std::isinf(expected) || tolerance == 0) return infinite;
  return std::abs(actual - expected) / tolerance;
}

}  // namespace detail

/// Compares `actual` [size] with `expected` element by element under `rule`.
/// Throws `invalid_argument` when the sizes differ or the expectation is malformed: that is an error of the test.
template <class T>
comparison compare(T const* actual, std::size_t size, expected_values const& expected,
                   tolerance_rule const& rule = {}) {
  if (expected.size() != size || expected.scale.size() != size || expected.terms.size() != size) {
    throw invalid_argument(edgewise::detail::text("compare: actual has ", size, " elements, expected has ",
                                                  expected.size(), " values, ", expected.scale.size(), " scales and ",
                                                  expected.terms.size(), " terms"));
  }
  number_format const format = number_format_of<T>();
  comparison found{.num_elements = size, .row_size = std::max<std::size_t>(expected.row_size, 1)};
  for (std::size_t i = 0; i < size; ++i) {
    double const value = to_double(actual[i]);
    double tolerance = tolerance_of(rule, format, expected.terms[i], expected.scale[i]);
    if (std::isnan(tolerance)) tolerance = 0;  // a scale spoilt by NaN or inf * 0 must not let numbers pass
    double const ratio = detail::error_ratio(value, expected.value[i], tolerance, format, rule.nan);
    found.worst_ratio = std::max(found.worst_ratio, ratio);
    if (ratio <= 1) continue;
    if (found.num_bad++ == 0) {
      found.first_bad = i;
      found.expected = expected.value[i];
      found.actual = value;
      found.tolerance = tolerance;
    }
  }
  return found;
}

template <class T>
comparison compare(std::vector<T> const& actual, expected_values const& expected, tolerance_rule const& rule = {}) {
  return compare(actual.data(), actual.size(), expected, rule);
}

/// Compares integers (arguments, ids, offsets): every element must be equal.
template <class Actual, class Expected>
comparison compare_integers(std::vector<Actual> const& actual, std::vector<Expected> const& expected) {
  expected_values wanted(expected.size(), 1);
  for (std::size_t i = 0; i < expected.size(); ++i) wanted.value[i] = static_cast<double>(expected[i]);
  std::vector<double> given(actual.begin(), actual.end());
  return compare(given, wanted, exactly);
}

}  // namespace edgewise::testing
