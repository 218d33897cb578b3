// Numbers that carry their derivative along one direction, as elements of arrays and in sums.
#pragma once

#include <type_traits>

#include <edgewise/core/config.hpp>

namespace edgewise::inline v0 {

/// A number and its derivative along a direction, of float or double. A plan whose operands, outputs and gradients are
/// stored as this forms, beside every result of `forward` and `backward`, the derivative of that result along the
/// direction that the operands' tangents give: of gradients these are products of second derivatives and a vector
/// (forward over reverse differentiation: Pearlmutter 1994, doi:10.1162/neco.1994.6.1.147). Comparisons look at the
/// values alone, so that every choice is the one of the values.
template <class T>
struct alignas(2 * sizeof(T)) with_tangent {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>);
  using scalar = T;

  T value;
  T tangent;

  with_tangent() = default;  // trivial, for arrays in shared memory
  EDGEWISE_HD constexpr with_tangent(T value_, T tangent_) : value(value_), tangent(tangent_) {}
  /// A constant.
  template <class Number>
  requires std::is_arithmetic_v<Number> EDGEWISE_HD constexpr with_tangent(Number number)
      : value(static_cast<T>(number)), tangent(T(0)) {}

  EDGEWISE_HD friend constexpr with_tangent operator+(with_tangent a) { return a; }
  EDGEWISE_HD friend constexpr with_tangent operator-(with_tangent a) { return {-a.value, -a.tangent}; }
  EDGEWISE_HD friend constexpr with_tangent operator+(with_tangent a, with_tangent b) {
    return {a.value + b.value, a.tangent + b.tangent};
  }
  EDGEWISE_HD friend constexpr with_tangent operator-(with_tangent a, with_tangent b) {
    return {a.value - b.value, a.tangent - b.tangent};
  }
  EDGEWISE_HD friend constexpr with_tangent operator*(with_tangent a, with_tangent b) {
    return {a.value * b.value, a.tangent * b.value + a.value * b.tangent};
  }
  EDGEWISE_HD friend constexpr with_tangent operator/(with_tangent a, with_tangent b) {
    T const quotient = a.value / b.value;
    return {quotient, (a.tangent - quotient * b.tangent) / b.value};
  }
  EDGEWISE_HD friend constexpr with_tangent& operator+=(with_tangent& a, with_tangent b) { return a = a + b; }
  EDGEWISE_HD friend constexpr with_tangent& operator-=(with_tangent& a, with_tangent b) { return a = a - b; }
  EDGEWISE_HD friend constexpr with_tangent& operator*=(with_tangent& a, with_tangent b) { return a = a * b; }
  EDGEWISE_HD friend constexpr with_tangent& operator/=(with_tangent& a, with_tangent b) { return a = a / b; }

  EDGEWISE_HD friend constexpr bool operator==(with_tangent a, with_tangent b) { return a.value == b.value; }
  EDGEWISE_HD friend constexpr bool operator!=(with_tangent a, with_tangent b) { return a.value != b.value; }
  EDGEWISE_HD friend constexpr bool operator<(with_tangent a, with_tangent b) { return a.value < b.value; }
  EDGEWISE_HD friend constexpr bool operator>(with_tangent a, with_tangent b) { return a.value > b.value; }
  EDGEWISE_HD friend constexpr bool operator<=(with_tangent a, with_tangent b) { return a.value <= b.value; }
  EDGEWISE_HD friend constexpr bool operator>=(with_tangent a, with_tangent b) { return a.value >= b.value; }
};

namespace detail {

template <class T>
inline constexpr bool has_tangent = false;
template <class T>
inline constexpr bool has_tangent<with_tangent<T>> = true;

/// The plain number of a type.
template <class T>
struct plain_number {
  using type = T;
};
template <class T>
struct plain_number<with_tangent<T>> {
  using type = T;
};

}  // namespace detail
}  // namespace edgewise::inline v0
