// sin, cos, pow, erf, erfc and log1p on scalars and dual numbers, for functors and operations.
#pragma once

#include <type_traits>

#include <edgewise/expression/dual.hpp>

namespace edgewise::inline v0 {

template <real_scalar T>
EDGEWISE_HD T sin(T x) {
  return ::sin(x);
}
template <>
EDGEWISE_HD float sin(float x) {
  return ::sinf(x);
}
template <real_scalar T>
EDGEWISE_HD T cos(T x) {
  return ::cos(x);
}
template <>
EDGEWISE_HD float cos(float x) {
  return ::cosf(x);
}
/// x to the power p, as C's pow; p may be any plain number.
template <real_scalar T>
EDGEWISE_HD T pow(T x, std::type_identity_t<T> p) {
  if constexpr (std::is_same_v<T, float>) {
    return ::powf(x, p);
  } else {
    return ::pow(x, p);
  }
}

/// The error function of x: 2 / sqrt(pi) times the integral of exp(-t^2) from 0 to x.
template <real_scalar T>
EDGEWISE_HD T erf(T x) {
  return ::erf(x);
}
template <>
EDGEWISE_HD float erf(float x) {
  return ::erff(x);
}
/// 1 - erf(x).
template <real_scalar T>
EDGEWISE_HD T erfc(T x) {
  return ::erfc(x);
}
template <>
EDGEWISE_HD float erfc(float x) {
  return ::erfcf(x);
}
/// log(1 + x).
template <real_scalar T>
EDGEWISE_HD T log1p(T x) {
  return ::log1p(x);
}
template <>
EDGEWISE_HD float log1p(float x) {
  return ::log1pf(x);
}

/// erf, erfc and log1p of numbers with tangents.
template <class T>
EDGEWISE_HD with_tangent<T> erf(with_tangent<T> x) {
  return {edgewise::erf(x.value), T(1.12837916709551257390) * edgewise::exp(-x.value * x.value) * x.tangent};
}
template <class T>
EDGEWISE_HD with_tangent<T> erfc(with_tangent<T> x) {
  return {edgewise::erfc(x.value), T(-1.12837916709551257390) * edgewise::exp(-x.value * x.value) * x.tangent};
}
template <class T>
EDGEWISE_HD with_tangent<T> log1p(with_tangent<T> x) {
  return {edgewise::log1p(x.value), x.tangent == T(0) ? T(0) : x.tangent / (T(1) + x.value)};
}
template <class T>
EDGEWISE_HD with_tangent<T> sin(with_tangent<T> x) {
  return {edgewise::sin(x.value), edgewise::cos(x.value) * x.tangent};
}
template <class T>
EDGEWISE_HD with_tangent<T> cos(with_tangent<T> x) {
  return {edgewise::cos(x.value), -edgewise::sin(x.value) * x.tangent};
}
/// The derivative by the power is 0 where the result is 0.
template <class T>
EDGEWISE_HD with_tangent<T> pow(with_tangent<T> x, std::type_identity_t<with_tangent<T>> p) {
  T const result = edgewise::pow(x.value, p.value);
  T tangent = T(0);
  if (x.tangent != T(0) && p.value != T(0)) tangent += x.tangent * p.value * edgewise::pow(x.value, p.value - T(1));
  if (p.tangent != T(0) && result != T(0)) tangent += p.tangent * result * edgewise::log(x.value);
  return {result, tangent};
}

/// erf, erfc and log1p of dual numbers.
template <class T>
EDGEWISE_HD dual<T> erf(dual<T> x) {
  return x.along(edgewise::erf(x.value), T(1.12837916709551257390) * edgewise::exp(-x.value * x.value));
}
template <class T>
EDGEWISE_HD dual<T> erfc(dual<T> x) {
  return x.along(edgewise::erfc(x.value), T(-1.12837916709551257390) * edgewise::exp(-x.value * x.value));
}
template <class T>
EDGEWISE_HD dual<T> log1p(dual<T> x) {
  return {edgewise::log1p(x.value), x.depends ? x.derivative / (T(1) + x.value) : T(0), x.depends};
}
template <class T>
EDGEWISE_HD dual<T> sin(dual<T> x) {
  return x.along(edgewise::sin(x.value), edgewise::cos(x.value));
}
template <class T>
EDGEWISE_HD dual<T> cos(dual<T> x) {
  return x.along(edgewise::cos(x.value), -edgewise::sin(x.value));
}
/// The derivative of x^0 is 0; that by the power is 0 where the result is.
template <class A, class B>
requires detail::dual_operands<A, B> EDGEWISE_HD auto pow(A const& a, B const& b) {
  using number = detail::common_dual<A, B>;
  using T = typename number::scalar;
  number const x(a), p(b);
  T const result = edgewise::pow(x.value, p.value);
  T derivative = T(0);
  bool const by_power = p.depends && result != T(0);
  if (x.depends && !detail::is_zero(p.value))
    derivative += x.derivative * p.value * edgewise::pow(x.value, p.value - T(1));
  if (by_power) derivative += p.derivative * result * edgewise::log(x.value);
  return number(result, derivative, x.depends || by_power);
}

}  // namespace edgewise::inline v0
