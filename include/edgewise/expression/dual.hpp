// Dual numbers: a value with its derivative along one direction, so that a functor's own text yields its derivative.
#pragma once

#include <type_traits>

#include <edgewise/core/scalar.hpp>

namespace edgewise::inline v0 {

/// A number and its derivative by one argument (forward-mode differentiation). Plain numbers are constants: they
/// convert implicitly, so `2 * x` and `x > 0 ? x : 0` read as for scalars. Comparisons look at the value alone; at a
/// kink the derivative is that of the branch taken. What does not depend on the argument has derivative 0, whatever
/// slope it meets: an infinite one cannot turn it into NaN. Mostly the compiler knows, and nothing is left of it.
/// Source: Wengert 1964, doi:10.1145/355586.364791.
template <program_scalar T>
struct dual {
  using scalar = T;

  T value = T(0);
  T derivative = T(0);
  bool depends = false;  ///< on the argument; otherwise the derivative is 0

  dual() = default;
  EDGEWISE_HD constexpr dual(T value_, T derivative_) : dual(value_, derivative_, !detail::is_zero(derivative_)) {}
  EDGEWISE_HD constexpr dual(T value_, T derivative_, bool depends_)
      : value(value_), derivative(derivative_), depends(depends_) {}
  /// A constant.
  template <class Number>
  requires std::is_arithmetic_v<Number> EDGEWISE_HD constexpr dual(Number number) : value(static_cast<T>(number)) {}

  /// This number's part of a derivative: its own times `slope`.
  EDGEWISE_HD constexpr dual along(T value_, T slope) const {
    return {value_, depends ? derivative * slope : T(0), depends};
  }
  /// A number whose derivative is the sum of two parts'. One that is 0 is left out: adding it would be an instruction.
  EDGEWISE_HD static constexpr dual join(T value_, dual a, dual b) {
    return {value_, b.depends ? (a.depends ? a.derivative + b.derivative : b.derivative) : a.derivative,
            a.depends || b.depends};
  }

  EDGEWISE_HD friend constexpr dual operator+(dual a) { return a; }
  EDGEWISE_HD friend constexpr dual operator-(dual a) { return {-a.value, -a.derivative, a.depends}; }
  EDGEWISE_HD friend constexpr dual operator+(dual a, dual b) { return join(a.value + b.value, a, b); }
  EDGEWISE_HD friend constexpr dual operator-(dual a, dual b) { return join(a.value - b.value, a, -b); }
  EDGEWISE_HD friend constexpr dual operator*(dual a, dual b) {
    T const product = a.value * b.value;
    return join(product, a.along(product, b.value), b.along(product, a.value));
  }
  EDGEWISE_HD friend constexpr dual operator/(dual a, dual b) {
    T const quotient = a.value / b.value;
    dual const numerator = join(quotient, a, b.along(quotient, -quotient));
    return {quotient, numerator.depends ? numerator.derivative / b.value : T(0), numerator.depends};
  }

  EDGEWISE_HD friend constexpr dual& operator+=(dual& a, dual b) { return a = a + b; }
  EDGEWISE_HD friend constexpr dual& operator-=(dual& a, dual b) { return a = a - b; }
  EDGEWISE_HD friend constexpr dual& operator*=(dual& a, dual b) { return a = a * b; }
  EDGEWISE_HD friend constexpr dual& operator/=(dual& a, dual b) { return a = a / b; }

  EDGEWISE_HD friend constexpr bool operator==(dual a, dual b) { return a.value == b.value; }
  EDGEWISE_HD friend constexpr bool operator<(dual a, dual b) { return a.value < b.value; }
  EDGEWISE_HD friend constexpr bool operator>(dual a, dual b) { return a.value > b.value; }
  EDGEWISE_HD friend constexpr bool operator<=(dual a, dual b) { return a.value <= b.value; }
  EDGEWISE_HD friend constexpr bool operator>=(dual a, dual b) { return a.value >= b.value; }
};

namespace detail {

template <class A>
struct dual_scalar {
  using type = void;
};
template <class T>
struct dual_scalar<dual<T>> {
  using type = T;
};

template <class A>
inline constexpr bool is_dual = !std::is_void_v<typename dual_scalar<A>::type>;

/// The dual type that a function of A and B, one dual and the other dual or a plain number, computes in.
template <class A, class B>
using common_dual = std::conditional_t<is_dual<A>, A, B>;

template <class A, class B>
concept dual_operands = (is_dual<A> && (std::is_same_v<A, B> || std::is_arithmetic_v<B>)) ||
                        (is_dual<B> && std::is_arithmetic_v<A>);

}  // namespace detail

/// e to the power x. The derivative of this function and of those below is x's times the slope at x, and 0 where x does
/// not depend on the argument, whatever the slope.
template <class T>
EDGEWISE_HD dual<T> exp(dual<T> x) {
  T const result = edgewise::exp(x.value);
  return x.along(result, result);
}
template <class T>
EDGEWISE_HD dual<T> log(dual<T> x) {
  return {edgewise::log(x.value), x.depends ? x.derivative / x.value : T(0), x.depends};
}
template <class T>
EDGEWISE_HD dual<T> tanh(dual<T> x) {
  T const result = edgewise::tanh(x.value);
  return x.along(result, T(1) - result * result);
}
template <class T>
EDGEWISE_HD dual<T> sqrt(dual<T> x) {
  T const result = edgewise::sqrt(x.value);
  return {result, x.depends ? x.derivative / (T(2) * result) : T(0), x.depends};
}
/// |x|; the derivative at 0 is 0.
template <class T>
EDGEWISE_HD dual<T> abs(dual<T> x) {
  T const slope = x.value > T(0) ? T(1) : (x.value < T(0) ? T(-1) : T(0));
  bool const depends = x.depends && slope != T(0);
  return {edgewise::abs(x.value), depends ? slope * x.derivative : T(0), depends};
}
/// The larger of two; on a tie the derivative is the first's.
template <class A, class B>
requires detail::dual_operands<A, B> EDGEWISE_HD auto maximum(A const& a, B const& b) {
  detail::common_dual<A, B> const x(a), y(b);
  bool const first = x >= y;
  return detail::common_dual<A, B>(edgewise::maximum(x.value, y.value), first ? x.derivative : y.derivative,
                                   first ? x.depends : y.depends);
}
/// The smaller of two; on a tie the derivative is the first's.
template <class A, class B>
requires detail::dual_operands<A, B> EDGEWISE_HD auto minimum(A const& a, B const& b) {
  detail::common_dual<A, B> const x(a), y(b);
  bool const first = x <= y;
  return detail::common_dual<A, B>(edgewise::minimum(x.value, y.value), first ? x.derivative : y.derivative,
                                   first ? x.depends : y.depends);
}

}  // namespace edgewise::inline v0
