// Sums of floats that do not depend on the order in which their terms arrive: 64-bit words of fixed-point numbers.
//
// A term x counts as the integer nearest to x * 2^k. k follows from the largest magnitude and the number of terms, so
// that no sum overflows. Integers add exactly in any order; a term of at least 2^(count_bits - 35) times the largest is
// held exactly too, so a sum of such terms is rounded once. Flags in the lowest bits, which terms leave alone, say that
// a term was infinite or NaN.
#pragma once

#include <cmath>
#include <cstdint>

#include <edgewise/core/config.hpp>

namespace edgewise::inline v0::detail {

using fixed_word = unsigned long long;  ///< what atomics of the device take

/// Bits below the sum: +inf, -inf, NaN.
inline constexpr int fixed_flag_bits = 3;
/// Sums stay below 2^this.
inline constexpr int fixed_sum_bits = 59;

/// Smallest b with count <= 2^b.
EDGEWISE_HD constexpr int bits_of_count(long long count) {
  int bits = 0;
  while (bits < 62 && (1LL << bits) < count) ++bits;
  return bits;
}

/// The bits of |x| where x is finite, else 0: ordered as magnitudes are.
EDGEWISE_HD std::uint32_t finite_magnitude(float x) {
  std::uint32_t const bits = __builtin_bit_cast(std::uint32_t, x) & 0x7fffffffu;
  return bits < 0x7f800000u ? bits : 0u;
}

/// The exponent k for at most 2^count_bits terms whose largest magnitude has these bits.
EDGEWISE_HD int fixed_exponent(std::uint32_t largest, int count_bits) {
  int const field = static_cast<int>(largest >> 23);  // |x| < 2^(field - 126), denormals too
  return fixed_sum_bits - count_bits - (field - 126);
}

/// 2^exponent, for exponents of float: -126 to 127.
EDGEWISE_HD float power_of_two(int exponent) {
  return __builtin_bit_cast(float, static_cast<std::uint32_t>(exponent + 127) << 23);
}

/// What a finite term adds to the word: shifts of its mantissa, since conversions to and from 64 bits are slow on
/// devices.
EDGEWISE_HD fixed_word fixed_term(float x, int exponent) {
  std::uint32_t const bits = __builtin_bit_cast(std::uint32_t, x);
  int const field = static_cast<int>(bits >> 23 & 0xffu);
  fixed_word const mantissa = field == 0 ? bits & 0x7fffffu : (bits & 0x7fffffu) | 0x800000u;
  int const shift = (field == 0 ? 1 : field) - 150 + exponent;  // at most 35
  int const down = shift < -40 ? 40 : -shift;                   // from 25 on nothing is left
  fixed_word const size = shift >= 0 ? mantissa << shift : (mantissa + (fixed_word(1) << (down - 1))) >> down;
  return ((bits >> 31) != 0 ? fixed_word(0) - size : size) << fixed_flag_bits;
}

/// The flag that a term sets instead; 0 where it is finite.
EDGEWISE_HD fixed_word fixed_flag(float x) {
  if (x != x) return 4;
  return finite_magnitude(x) != 0 || x == 0.0f ? 0 : (x > 0 ? 1 : 2);
}

/// The sum: NaN where a term was, or where infinities of both signs met.
EDGEWISE_HD float fixed_value(fixed_word word, int exponent) {
  auto const sum = static_cast<long long>(word) >> fixed_flag_bits;
  fixed_word const flags = word & 7;
  int const half = exponent / 2;  // 2^exponent may be more than a float holds
  if (flags == 0) return static_cast<float>(sum) * power_of_two(-half) * power_of_two(half - exponent);
  if (flags == 1) return HUGE_VALF;
  if (flags == 2) return -HUGE_VALF;
  return HUGE_VALF - HUGE_VALF;
}

/// Adds a term to a word that others add to at the same time.
EDGEWISE_HD void add_fixed(fixed_word* place, float x, int exponent) {
  fixed_word const flag = fixed_flag(x);
#if defined(__CUDA_ARCH__)
  if (flag == 0) {
    atomicAdd(place, fixed_term(x, exponent));
  } else {
    atomicOr(place, flag);
  }
#else
  if (flag == 0) {
    *place += fixed_term(x, exponent);
  } else {
    *place |= flag;
  }
#endif
}

}  // namespace edgewise::inline v0::detail
