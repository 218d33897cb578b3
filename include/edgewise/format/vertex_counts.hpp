// How many vertices a graph has on either side of its edges.
#pragma once

#include <cstdint>
#include <limits>

#include <edgewise/core/error.hpp>

namespace edgewise::inline v0 {

/// The two vertex counts of a graph: `vertex_counts{.sources = 5, .destinations = 3}`; see `vertices(n)` where they
/// agree.
struct vertex_counts {
  std::int64_t sources = 0;
  std::int64_t destinations = 0;

  friend bool operator==(vertex_counts const&, vertex_counts const&) = default;
};

/// Sources and destinations are the same `count` vertices.
constexpr vertex_counts vertices(std::int64_t count) { return {.sources = count, .destinations = count}; }

namespace detail {

/// `count` as a T; throws `invalid_argument` naming `format` and `what` when it is negative or does not fit.
template <class T>
T checked_count(char const* format, char const* what, std::int64_t count) {
  if (count < 0) throw invalid_argument(text(format, ": ", what, " = ", count, ", must not be negative"));
  auto const largest = static_cast<std::uint64_t>(std::numeric_limits<T>::max());
  if (static_cast<std::uint64_t>(count) > largest) {
    throw invalid_argument(text(format, ": ", what, " = ", count, ", but its type holds at most ", largest));
  }
  return static_cast<T>(count);
}

/// Throws `invalid_argument` unless an array has the size that its format gives it.
inline void require_size(char const* format, char const* array, std::size_t size, char const* expected_name,
                         std::size_t expected) {
  if (size != expected) {
    throw invalid_argument(
        text(format, ": ", array, " has ", size, " elements, must have ", expected_name, " = ", expected));
  }
}

}  // namespace detail
}  // namespace edgewise::inline v0
