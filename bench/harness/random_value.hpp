// The counter-based values that every benchmark array is filled with: element i of array `seed`, on host and device.
#pragma once

#include <cstdint>

#include <edgewise/core/config.hpp>

namespace edgewise::bench {

/// Element `index` of the array named by `seed`: uniform on the multiples of 2^-23 in [-1, 1), hence exact in float.
/// A reference recomputes any element instead of copying arrays. Source: splitmix64 (Steele, Lea & Flood 2014).
EDGEWISE_HD float random_value(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t bits = (seed << 40) + index + 1;
  bits *= 0x9e3779b97f4a7c15u;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
  bits ^= bits >> 31;
  return (static_cast<float>(bits >> 40) - 8388608.0f) / 8388608.0f;
}

}  // namespace edgewise::bench
