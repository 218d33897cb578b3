// 16-bit storage types: what operands, outputs and gradients may be stored in while sums are kept in float. They store
// and convert and do no arithmetic. Own types: cuda_bf16.h and cuda_fp16.h take 2 s per file, and g++ cannot read them.
#pragma once

#include <cstdint>
#include <type_traits>

#include <edgewise/core/config.hpp>
#include <edgewise/core/elementary.hpp>

namespace edgewise::inline v0 {

namespace detail {

EDGEWISE_HD std::uint32_t choose_bits(bool condition, std::uint32_t a, std::uint32_t b) {
  std::uint32_t const mask = 0u - static_cast<std::uint32_t>(condition);
  return (a & mask) | (b & ~mask);
}

// Conversions by integers, without branches: g++ and clang vectorise loops over channels that take them.

EDGEWISE_HD std::uint16_t bfloat16_bits(float x) {
  std::uint32_t const bits = bits_of_float(x);
  std::uint32_t const rounded = bits + 0x7fffu + ((bits >> 16) & 1u);
  std::uint32_t const quiet = bits | 0x00400000u;  // NaN stays NaN: its payload may lie in the bits that go
  return static_cast<std::uint16_t>(choose_bits((bits & 0x7fffffffu) > 0x7f800000u, quiet, rounded) >> 16);
}

EDGEWISE_HD std::uint16_t float16_bits(float x) {
  std::uint32_t const bits = bits_of_float(x);
  std::uint32_t const sign = bits & 0x80000000u;
  std::uint32_t const size = bits ^ sign;
  // Subnormals: the addition of 0.5, whose last bit weighs as much as theirs, rounds.
  std::uint32_t const small = bits_of_float(float_of_bits(size) + 0.5f) - 0x3f000000u;
  std::uint32_t const normal = (size - 0x38000000u + 0xfffu + ((size >> 13) & 1u)) >> 13;  // carries into inf
  std::uint32_t const large = choose_bits(size > 0x7f800000u, 0x7e00u | ((size >> 13) & 0x3ffu), 0x7c00u);
  std::uint32_t const finite = choose_bits(size < 0x38800000u, small, normal);   // below 2^-14
  std::uint32_t const result = choose_bits(size >= 0x47800000u, large, finite);  // 2^16 and more
  return static_cast<std::uint16_t>(result | (sign >> 16));
}

EDGEWISE_HD float float_of_float16_bits(std::uint16_t half) {
  std::uint32_t const sign = static_cast<std::uint32_t>(half & 0x8000u) << 16;
  std::uint32_t const size = static_cast<std::uint32_t>(half & 0x7fffu) << 13;
  std::uint32_t const normal = size + 0x38000000u;
  // Subnormals: 2^-14 with their bits behind it, less 2^-14. No denormal float is formed: those are slow.
  std::uint32_t const small = bits_of_float(float_of_bits(size + 0x38800000u) - float_of_bits(0x38800000u));
  std::uint32_t const large = size + 0x70000000u;  // inf and NaN
  std::uint32_t const finite = choose_bits(size < 0x00800000u, small, normal);
  return float_of_bits(choose_bits(size >= 0x0f800000u, large, finite) | sign);
}

}  // namespace detail

/// bfloat16: float's exponents with 8 significant bits. Bit-compatible with __nv_bfloat16 and at::BFloat16, whose
/// arrays may be passed by reinterpret_cast. Conversion from float rounds to nearest, ties to even; beyond the largest
/// number lies inf, NaN stays NaN.
struct bfloat16 {
  std::uint16_t bits;

  bfloat16() = default;
  EDGEWISE_HD explicit bfloat16(float x) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(x));
#else
    bits = detail::bfloat16_bits(x);
#endif
  }
  EDGEWISE_HD explicit operator float() const { return detail::float_of_bits(static_cast<std::uint32_t>(bits) << 16); }
};

/// IEEE 754 binary16: 11 significant bits, numbers from 2^-24 to 65504. Bit-compatible with __half and at::Half, whose
/// arrays may be passed by reinterpret_cast. Conversion from float rounds to nearest, ties to even, subnormals too;
/// 65520 and more become inf, NaN stays NaN.
struct float16 {
  std::uint16_t bits;

  float16() = default;
  EDGEWISE_HD explicit float16(float x) {
#if defined(__CUDA_ARCH__)
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
#else
    bits = detail::float16_bits(x);
#endif
  }
  EDGEWISE_HD explicit operator float() const {
#if defined(__CUDA_ARCH__)
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
    return x;
#else
    return detail::float_of_float16_bits(bits);
#endif
  }
};

/// Is T one of the 16-bit storage types?
template <class T>
inline constexpr bool is_float16 =
    std::is_same_v<std::remove_const_t<T>, bfloat16> || std::is_same_v<std::remove_const_t<T>, float16>;

namespace detail {

/// Two numbers as one word, the first in its lower half: one instruction on the device.
template <class T>
EDGEWISE_HD std::uint32_t pack_pair(float first, float second) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  std::uint32_t word;
  if constexpr (std::is_same_v<T, bfloat16>) {
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(second), "f"(first));
  } else {
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(second), "f"(first));
  }
  return word;
#else
  return T(first).bits | static_cast<std::uint32_t>(T(second).bits) << 16;
#endif
}

}  // namespace detail
}  // namespace edgewise::inline v0
