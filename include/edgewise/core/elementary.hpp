// exp, log and tanh of float for CPUs: without branches and calls, so that g++ vectorises loops over channels that take
// them.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include <edgewise/core/config.hpp>

namespace edgewise::inline v0::detail {

EDGEWISE_HD float float_of_bits(std::uint32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof(x));
  return x;
}
EDGEWISE_HD std::uint32_t bits_of_float(float x) {
  std::uint32_t bits;
  memcpy(&bits, &x, sizeof(bits));
  return bits;
}

/// `condition ? a : b` by bits: g++ makes branches of a conditional whose one side it can compute ahead, and then
/// cannot vectorise.
EDGEWISE_HD float choose(bool condition, float a, float b) {
  std::uint32_t const mask = 0u - static_cast<std::uint32_t>(condition);
  return float_of_bits((bits_of_float(a) & mask) | (bits_of_float(b) & ~mask));
}

/// e to the x: at most 1 ulp off (tests/core/elementary_test.cpp), denormal results included; overflow gives inf, NaN
/// stays. Cody & Waite's reduction; the polynomial is Cephes' (S. L. Moshier 1989, expf).
EDGEWISE_HD float exp_of_channel(float x) {
  std::uint32_t const size = bits_of_float(x) & 0x7fffffffu;
  std::uint32_t const sign = bits_of_float(x) ^ size;
  std::uint32_t const largest = 0x42d00000u;  // 104: beyond, the result is 0 or inf
  float const within = float_of_bits((size < largest ? size : largest) | sign);
  float const shifted = within * 1.44269504088896341f + 12582912.0f;  // 1.5 * 2^23: the last bits hold the integer
  float const n = shifted - 12582912.0f;
  float const r = (within - n * 0.693359375f) - n * -2.12194440e-4f;
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  float const e = (p * (r * r) + r) + 1.0f;
  // 2^n in two factors, each a normal number: only the last product rounds where the result is denormal
  std::uint32_t const exponent = bits_of_float(shifted) - 0x4b400000u;
  std::uint32_t const half = static_cast<std::uint32_t>(static_cast<std::int32_t>(exponent) >> 1);
  float const first = float_of_bits((half + 127u) << 23);
  float const second = float_of_bits((exponent - half + 127u) << 23);
  return choose(x == x, e * first * second, x);
}

/// Natural logarithm: at most 1 ulp off, of denormals too; log(0) = -inf, NaN for negative numbers.
/// The polynomial is Cephes' (logf).
EDGEWISE_HD float log_of_channel(float x) {
  bool const is_small = x < 0x1p-126f;
  std::uint32_t const bits = bits_of_float(choose(is_small, x * 0x1p23f, x));
  // x = m * 2^e with m in [sqrt(1/2), sqrt(2))
  std::uint32_t const offset = bits - 0x3f3504f3u;
  float const e = static_cast<float>(static_cast<std::int32_t>(offset) >> 23) - choose(is_small, 23.0f, 0.0f);
  float const f = float_of_bits((offset & 0x007fffffu) + 0x3f3504f3u) - 1.0f;
  float const z = f * f;
  float p = 7.0376836292e-2f;
  p = p * f - 1.1514610310e-1f;
  p = p * f + 1.1676998740e-1f;
  p = p * f - 1.2420140846e-1f;
  p = p * f + 1.4249322787e-1f;
  p = p * f - 1.6668057665e-1f;
  p = p * f + 2.0000714765e-1f;
  p = p * f - 2.4999993993e-1f;
  p = p * f + 3.3333331174e-1f;
  float const low = (p * f * z + e * -2.12194440e-4f) - 0.5f * z;
  float const result = (f + low) + e * 0.693359375f;
  float const positive = choose(x < HUGE_VALF, result, x);  // inf and NaN stay
  float const negative = choose(x == 0.0f, -HUGE_VALF, float_of_bits(0x7fc00000u));
  return choose(x <= 0.0f, negative, positive);
}

/// Hyperbolic tangent: at most 2 ulp off, odd, tanh(-0) = -0. Cephes' form (tanhf).
EDGEWISE_HD float tanh_of_channel(float x) {
  std::uint32_t const sign = bits_of_float(x) & 0x80000000u;
  float const a = float_of_bits(bits_of_float(x) ^ sign);
  float const z = a * a;
  float p = -5.70498872745e-3f;
  p = p * z + 2.06390887954e-2f;
  p = p * z - 5.37397155531e-2f;
  p = p * z + 1.33314422036e-1f;
  p = p * z - 3.33332819422e-1f;
  float const small = p * z * a + a;
  float const large = 1.0f - 2.0f / (exp_of_channel(a + a) + 1.0f);
  float const result = choose(a < 0.625f, small, large);
  return float_of_bits(bits_of_float(result) | sign);
}

}  // namespace edgewise::inline v0::detail
