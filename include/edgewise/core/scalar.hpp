// Scalars: which type a storage type accumulates in, and the mathematics that messages and functors may use on
// host and device alike.
#pragma once

#include <cmath>
#include <type_traits>

#include <edgewise/core/config.hpp>
#include <edgewise/core/elementary.hpp>
#include <edgewise/core/float16.hpp>
#include <edgewise/core/lanes.hpp>
#include <edgewise/core/with_tangent.hpp>

namespace edgewise::inline v0 {

namespace detail {
template <class T>
struct accumulator {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double> || is_float16<T> || has_tangent<T>,
                "storage type: only float, double, bfloat16 and float16 are supported, and with_tangent of float and "
                "double (core/scalar.hpp)");
  using type = std::conditional_t<is_float16<T>, float, T>;
};
}  // namespace detail

/// The type that sums over operands stored as T are kept in: float for the 16-bit types.
template <class T>
using accumulator_t = typename detail::accumulator<std::remove_const_t<T>>::type;

/// The name of a storage type as messages print it.
template <class T>
constexpr char const* storage_name() {
  if (std::is_same_v<std::remove_const_t<T>, bfloat16>) return "bfloat16";
  if (std::is_same_v<std::remove_const_t<T>, float16>) return "float16";
  if (std::is_same_v<std::remove_const_t<T>, with_tangent<float>>) return "with_tangent<float>";
  if (std::is_same_v<std::remove_const_t<T>, with_tangent<double>>) return "with_tangent<double>";
  return sizeof(T) == sizeof(float) ? "float" : "double";
}

/// A plain floating-point scalar, as opposed to an expression or a dual number.
template <class T>
concept real_scalar = std::is_same_v<T, float> || std::is_same_v<T, double>;
/// What programs compute in: a plain scalar, or one with its derivative along a direction.
template <class T>
concept program_scalar = real_scalar<T> || detail::has_tangent<T>;

/// e to the power x. Of exp, log, tanh and sqrt those of C are called, on host and device, but for exp, log and tanh of
/// float on the host: these are the library's own, so that g++ vectorises loops over channels.
template <real_scalar T>
EDGEWISE_HD T exp(T x) {
  return ::exp(x);
}
template <>
EDGEWISE_HD float exp(float x) {
#if defined(__CUDA_ARCH__)
  return ::expf(x);
#else
  return detail::exp_of_channel(x);
#endif
}
template <real_scalar T>
EDGEWISE_HD T log(T x) {
  return ::log(x);
}
template <>
EDGEWISE_HD float log(float x) {
#if defined(__CUDA_ARCH__)
  return ::logf(x);
#else
  return detail::log_of_channel(x);
#endif
}
template <real_scalar T>
EDGEWISE_HD T tanh(T x) {
  return ::tanh(x);
}
template <>
EDGEWISE_HD float tanh(float x) {
#if defined(__CUDA_ARCH__)
  return ::tanhf(x);
#else
  return detail::tanh_of_channel(x);
#endif
}
template <real_scalar T>
EDGEWISE_HD T sqrt(T x) {
  return ::sqrt(x);
}
template <>
EDGEWISE_HD float sqrt(float x) {
  return ::sqrtf(x);
}
/// |x|.
template <real_scalar T>
EDGEWISE_HD T abs(T x) {
  return x < T(0) ? -x : (x == T(0) ? T(0) : x);
}
/// The larger of two, NaN where one is.
template <real_scalar T>
EDGEWISE_HD T maximum(T a, T b) {
  return a > b || a != a ? a : b;
}
/// The smaller of two, NaN where one is.
template <real_scalar T>
EDGEWISE_HD T minimum(T a, T b) {
  return a < b || a != a ? a : b;
}

/// e to the power x. The tangent of this function and of those below is x's times the slope at x; of exp, log and sqrt
/// it is 0 where x's is 0, whatever the slope.
template <class T>
EDGEWISE_HD with_tangent<T> exp(with_tangent<T> x) {
  T const result = edgewise::exp(x.value);
  return {result, x.tangent == T(0) ? T(0) : result * x.tangent};
}
template <class T>
EDGEWISE_HD with_tangent<T> log(with_tangent<T> x) {
  return {edgewise::log(x.value), x.tangent == T(0) ? T(0) : x.tangent / x.value};
}
template <class T>
EDGEWISE_HD with_tangent<T> tanh(with_tangent<T> x) {
  T const result = edgewise::tanh(x.value);
  return {result, (T(1) - result * result) * x.tangent};
}
template <class T>
EDGEWISE_HD with_tangent<T> sqrt(with_tangent<T> x) {
  T const result = edgewise::sqrt(x.value);
  return {result, x.tangent == T(0) ? T(0) : x.tangent / (T(2) * result)};
}
#if !defined(__CUDACC__)
// Of each lane.
template <class T, int Bytes>
EDGEWISE_HD detail::lanes<T, Bytes> exp(detail::lanes<T, Bytes> x) {
  return detail::map_lanes(x, [](T number) { return edgewise::exp(number); });
}
template <class T, int Bytes>
EDGEWISE_HD detail::lanes<T, Bytes> log(detail::lanes<T, Bytes> x) {
  return detail::map_lanes(x, [](T number) { return edgewise::log(number); });
}
template <class T, int Bytes>
EDGEWISE_HD detail::lanes<T, Bytes> tanh(detail::lanes<T, Bytes> x) {
  return detail::map_lanes(x, [](T number) { return edgewise::tanh(number); });
}
#endif

/// |x|; the derivative at 0 is 0.
template <class T>
EDGEWISE_HD with_tangent<T> abs(with_tangent<T> x) {
  return {edgewise::abs(x.value), x.value > T(0) ? x.tangent : (x.value < T(0) ? -x.tangent : T(0))};
}
/// The larger of two, with its tangent, on a tie the first's; NaN where one is.
template <class T>
EDGEWISE_HD with_tangent<T> maximum(with_tangent<T> a, with_tangent<T> b) {
  return a.value >= b.value || a.value != a.value ? a : b;
}
/// The smaller of two, with its tangent, on a tie the first's; NaN where one is.
template <class T>
EDGEWISE_HD with_tangent<T> minimum(with_tangent<T> a, with_tangent<T> b) {
  return a.value <= b.value || a.value != a.value ? a : b;
}

namespace detail {

/// The exponential of the online softmax: arguments are at most 0, so the fast form's error stays within float's.
EDGEWISE_HD float fast_exp(float x) {
#if defined(__CUDA_ARCH__)
  // One multiplication and one instruction; __expf adds a range check that keeps denormal results, which weigh nothing.
  float result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x * 1.4426950408889634f));
  return result;
#else
  return exp_of_channel(x);
#endif
}
EDGEWISE_HD double fast_exp(double x) { return ::exp(x); }

/// exp(x) / 2^log2_sum, as exact as `fast_exp`, in no more instructions.
EDGEWISE_HD float fast_weight(float x, float log2_sum) {
#if defined(__CUDA_ARCH__)
  float result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(::fmaf(x, 1.4426950408889634f, -log2_sum)));
  return result;
#else
  return exp_of_channel(x - log2_sum * 0.6931471805599453f);
#endif
}
EDGEWISE_HD double fast_weight(double x, double log2_sum) { return ::exp(x - log2_sum * 0.6931471805599453); }

/// The logarithm to base 2 of a softmax's sum of weights, which is 1 at least and finite, or NaN: within 3.5e-7 and
/// half an ulp, as far as its weights are off. The instruction is as exact for numbers from 1 to 2 alone.
EDGEWISE_HD float fast_log2(float x) {
#if defined(__CUDA_ARCH__)
  std::uint32_t const bits = bits_of_float(x);
  if (bits >= 0x7f800000u) return x;
  float const exponent = static_cast<float>(static_cast<std::int32_t>(bits >> 23) - 127);
  float const fraction = float_of_bits((bits & 0x007fffffu) | 0x3f800000u);
  float result;
  asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(fraction));
  return exponent + result;
#else
  return log_of_channel(x) * 1.4426950408889634f;
#endif
}
EDGEWISE_HD double fast_log2(double x) { return ::log2(x); }

/// One over a softmax's sum of weights: at most 1 ulp off.
EDGEWISE_HD float fast_reciprocal(float x) {
#if defined(__CUDA_ARCH__)
  float result;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
#else
  return 1.0f / x;
#endif
}
EDGEWISE_HD double fast_reciprocal(double x) { return 1.0 / x; }

// The same of numbers with tangents.
template <class T>
EDGEWISE_HD with_tangent<T> fast_exp(with_tangent<T> x) {
  T const result = fast_exp(x.value);
  return {result, result == T(0) ? T(0) : result * x.tangent};
}
template <class T>
EDGEWISE_HD with_tangent<T> fast_weight(with_tangent<T> x, with_tangent<T> log2_sum) {
  T const result = fast_weight(x.value, log2_sum.value);
  constexpr T log_of_2 = T(0.6931471805599453);
  return {result, result == T(0) ? T(0) : result * (x.tangent - log2_sum.tangent * log_of_2)};
}
template <class T>
EDGEWISE_HD with_tangent<T> fast_log2(with_tangent<T> x) {
  constexpr T inverse_log_of_2 = T(1.4426950408889634);
  return {fast_log2(x.value), x.tangent / x.value * inverse_log_of_2};
}
template <class T>
EDGEWISE_HD with_tangent<T> fast_reciprocal(with_tangent<T> x) {
  T const result = fast_reciprocal(x.value);
  return {result, -x.tangent * result * result};
}

template <real_scalar T>
EDGEWISE_HD bool is_finite(T x) {
  return x - x == T(0);
}
template <real_scalar T>
EDGEWISE_HD constexpr bool is_zero(T x) {
  return x == T(0);
}
/// Of both parts, where `==` looks at the value alone.
template <class T>
EDGEWISE_HD bool is_finite(with_tangent<T> x) {
  return is_finite(x.value) && is_finite(x.tangent);
}
template <class T>
EDGEWISE_HD constexpr bool is_zero(with_tangent<T> x) {
  return x.value == T(0) && x.tangent == T(0);
}

/// a * b + c: fused on the device even under a predicate; left to the compiler on the host, where fma may be a call.
template <class T>
EDGEWISE_HD T multiply_add(T a, T b, T c) {
#if defined(__CUDA_ARCH__)
  return ::fma(a, b, c);
#else
  return a * b + c;
#endif
}

template <class T>
EDGEWISE_HD with_tangent<T> multiply_add(with_tangent<T> a, with_tangent<T> b, with_tangent<T> c) {
  return {multiply_add(a.value, b.value, c.value),
          multiply_add(a.tangent, b.value, multiply_add(a.value, b.tangent, c.tangent))};
}

/// `condition ? a : b`; of lanes, each by its own condition (core/lanes.hpp).
template <class T>
EDGEWISE_HD T select(bool condition, T const& a, T const& b) {
  return condition ? a : b;
}

/// The larger of two where a NaN is to be ignored: one instruction on the device, no call on the host.
template <class T>
EDGEWISE_HD T larger_number(T a, T b) {
#if defined(__CUDA_ARCH__)
  return ::fmax(a, b);
#else
  return a > b || b != b ? a : b;
#endif
}

template <class T>
EDGEWISE_HD with_tangent<T> larger_number(with_tangent<T> a, with_tangent<T> b) {
  return a.value > b.value || b.value != b.value ? a : b;
}

template <class T>
EDGEWISE_HD T infinity() {
  return static_cast<T>(HUGE_VALF);
}
template <class T>
EDGEWISE_HD T negative_infinity() {
  return -infinity<T>();
}

#if !defined(__CUDACC__)
/// Of each lane.
template <class T, int Bytes>
EDGEWISE_HD lanes<T, Bytes> fast_exp(lanes<T, Bytes> x) {
  return map_lanes(x, [](T number) { return fast_exp(number); });
}
#endif
template <class T, int Bytes>
struct plain_number<lanes<T, Bytes>> {
  using type = T;
};

/// A constant of a message, converted once on the host to each accumulator type.
struct constant_value {
  double in_double = 0;
  float in_float = 0;

  EDGEWISE_HD constexpr constant_value(double x = 0) : in_double(x), in_float(static_cast<float>(x)) {}
  template <class T>
  EDGEWISE_HD constexpr T as() const {
    if constexpr (std::is_same_v<typename plain_number<T>::type, double>) {
      return static_cast<T>(in_double);
    } else {
      return static_cast<T>(in_float);
    }
  }
};

}  // namespace detail
}  // namespace edgewise::inline v0
