// What a storage type can represent, found by converting numbers to it: the tests stay independent of how it is
// written.
#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

namespace edgewise::testing {

/// A storage type's value as double; exact for every type of the library.
template <class T>
double to_double(T const& x) {
  if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<double>(x);
  } else {
    return static_cast<double>(static_cast<float>(x));  // 16-bit storage types convert through float
  }
}

/// The storage type's number nearest to `x`.
template <class T>
T from_double(double x) {
  if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<T>(x);
  } else {
    return static_cast<T>(static_cast<float>(x));
  }
}

/// `x` after one rounding to T: what a kernel that reads T is given.
template <class T>
double rounded_to(double x) {
  return to_double(from_double<T>(x));
}

/// Numbers that describe how T rounds.
struct number_format {
  double epsilon;              // spacing of the numbers just above 1
  double accumulator_epsilon;  // the same for the type that sums are kept in: float for 16-bit types
  double underflow;            // largest absolute error where results are too small for `epsilon` to hold
  double largest;              // beyond this, T has only infinity
};

/// The number format of T: float, double or any type that converts to and from float.
template <class T>
number_format number_format_of() {
  if constexpr (std::is_floating_point_v<T>) {
    using limits = std::numeric_limits<T>;
    // The smallest normal number, not the smallest number: a device may flush subnormal floats.
    return {limits::epsilon(), limits::epsilon(), limits::min(), limits::max()};
  } else {
    double epsilon = 1;
    while (rounded_to<T>(1 + epsilon / 2) > 1) epsilon /= 2;
    // Subnormals of 16-bit types exist only after conversion, which keeps them. bfloat16 has float's exponents.
    double underflow = 1;
    while (underflow > double{std::numeric_limits<float>::min()} && rounded_to<T>(underflow / 2) > 0) underflow /= 2;
    double power = 1;
    while (power < 0x1p127 && std::isfinite(rounded_to<T>(2 * power))) power *= 2;
    return {epsilon, std::numeric_limits<float>::epsilon(), underflow, (2 - epsilon) * power};
  }
}

}  // namespace edgewise::testing
