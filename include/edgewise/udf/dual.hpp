// Dual numbers: a value with its derivative along one direction, so that a functor's own text yields its derivative.
#pragma once

#include <type_traits>

#include <edgewise/core/scalar.hpp>

namespace edgewise {

namespace detail {

/// derivative * slope, where a derivative of 0 stays 0 whatever the slope: what does not depend on the argument cannot
/// turn into NaN by an infinite slope. A derivative known to be 0 folds the term away at compile time.
template <class T>
EDGEWISE_HD constexpr T chain(T derivative, T slope) {
  return derivative == T(0) ? T(0) : derivative * slope;
}
/// derivative / divisor, under the same rule.
template <class T>
EDGEWISE_HD constexpr T chain_over(T derivative, T divisor) {
  return derivative == T(0) ? T(0) : derivative / divisor;
}

}  // namespace detail

/// A number and its derivative by one argument (forward-mode differentiation). Plain numbers are constants: they
/// convert implicitly, so `2 * x` and `x > 0 ? x : 0` read as for scalars. Comparisons look at the value alone; at a
/// kink the derivative is that of the branch taken. Source: Wengert 1964, doi:10.1145/355586.364791.
template <real_scalar T>
struct dual {
  using scalar = T;

  T value = T(0);
  T derivative = T(0);

  dual() = default;
  EDGEWISE_HD constexpr dual(T value_, T derivative_) : value(value_), derivative(derivative_) {}
  /// A constant.
  template <class Number>
  requires std::is_arithmetic_v<Number> EDGEWISE_HD constexpr dual(Number number) : value(static_cast<T>(number)) {}

  EDGEWISE_HD friend constexpr dual operator+(dual a) { return a; }
  EDGEWISE_HD friend constexpr dual operator-(dual a) { return {-a.value, -a.derivative}; }
  EDGEWISE_HD friend constexpr dual operator+(dual a, dual b) {
    return {a.value + b.value, a.derivative + b.derivative};
  }
  EDGEWISE_HD friend constexpr dual operator-(dual a, dual b) {
    return {a.value - b.value, a.derivative - b.derivative};
  }
  EDGEWISE_HD friend constexpr dual operator*(dual a, dual b) {
    return {a.value * b.value, detail::chain(a.derivative, b.value) + detail::chain(b.derivative, a.value)};
  }
  EDGEWISE_HD friend constexpr dual operator/(dual a, dual b) {
    T const quotient = a.value / b.value;
    return {quotient, detail::chain_over(a.derivative - detail::chain(b.derivative, quotient), b.value)};
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

template <class T>
EDGEWISE_HD dual<T> exp(dual<T> x) {
  T const result = edgewise::exp(x.value);
  return {result, detail::chain(x.derivative, result)};
}
template <class T>
EDGEWISE_HD dual<T> log(dual<T> x) {
  return {edgewise::log(x.value), detail::chain_over(x.derivative, x.value)};
}
template <class T>
EDGEWISE_HD dual<T> tanh(dual<T> x) {
  T const result = edgewise::tanh(x.value);
  return {result, detail::chain(x.derivative, T(1) - result * result)};
}
template <class T>
EDGEWISE_HD dual<T> sqrt(dual<T> x) {
  T const result = edgewise::sqrt(x.value);
  return {result, detail::chain_over(x.derivative, T(2) * result)};
}
/// |x|; the derivative at 0 is 0.
template <class T>
EDGEWISE_HD dual<T> abs(dual<T> x) {
  T const slope = x.value > T(0) ? T(1) : (x.value < T(0) ? T(-1) : T(0));
  return {edgewise::abs(x.value), slope * x.derivative};
}
/// The larger of two; on a tie the derivative is the first's.
template <class A, class B>
requires detail::dual_operands<A, B> EDGEWISE_HD auto maximum(A const& a, B const& b) {
  detail::common_dual<A, B> const x(a), y(b);
  return detail::common_dual<A, B>(edgewise::maximum(x.value, y.value), x >= y ? x.derivative : y.derivative);
}
/// The smaller of two; on a tie the derivative is the first's.
template <class A, class B>
requires detail::dual_operands<A, B> EDGEWISE_HD auto minimum(A const& a, B const& b) {
  detail::common_dual<A, B> const x(a), y(b);
  return detail::common_dual<A, B>(edgewise::minimum(x.value, y.value), x <= y ? x.derivative : y.derivative);
}

}  // namespace edgewise
