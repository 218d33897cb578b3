// Floats at which conversions to 16 bits go wrong first.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "support/random.hpp"

namespace edgewise::testing {

inline float float_of_pattern(std::uint32_t bits) {
  float x;
  std::memcpy(&x, &bits, sizeof(x));
  return x;
}

/// Zeros, denormals, infinities and NaN with payloads in all places.
inline std::vector<float> special_floats() {
  std::vector<float> result;
  for (std::uint32_t bits : {0u, 1u, 0x7fffffu, 0x800000u, 0x7f7fffffu, 0x7f800000u, 0x7f800001u, 0x7f808000u,
                             0x7fbfffffu, 0x7fc00000u, 0x7fffffffu}) {
    result.push_back(float_of_pattern(bits));
    result.push_back(float_of_pattern(bits | 0x80000000u));
  }
  return result;
}

/// All ties of both types and their neighbors, of both signs (2^15 bfloat16 ties, as many of float16), and random
/// patterns.
inline std::vector<float> rounding_cases() {
  std::vector<float> result = special_floats();
  for (std::uint32_t k = 0; k < 0x8000; ++k) {
    for (std::uint32_t bits : {(k << 16) + 0x7fffu, (k << 16) + 0x8000u, (k << 16) + 0x8001u}) {
      result.push_back(float_of_pattern(bits));
      result.push_back(-float_of_pattern(bits));
    }
  }
  for (std::uint32_t k = 0; k < 0x7c00; ++k) {
    // The tie above float16 pattern k, by its definition.
    float const tie = k < 0x400
                          ? std::ldexp(static_cast<float>(k) + 0.5f, -24)
                          : std::ldexp(static_cast<float>(0x400 + (k & 0x3ff)) + 0.5f, static_cast<int>(k >> 10) - 25);
    for (float x : {std::nextafter(tie, 0.0f), tie, std::nextafter(tie, HUGE_VALF)}) {
      result.push_back(x);
      result.push_back(-x);
    }
  }
  random_stream random("rounding cases");
  for (int i = 0; i < 100000; ++i) {
    auto const high = static_cast<std::uint32_t>(random.below(65536));
    result.push_back(float_of_pattern(high << 16 | static_cast<std::uint32_t>(random.below(65536))));
  }
  return result;
}

}  // namespace edgewise::testing
