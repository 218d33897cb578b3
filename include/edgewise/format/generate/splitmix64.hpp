// The generators' random numbers: the same on every platform, which std distributions are not.
#pragma once

#include <bit>
#include <cstdint>

namespace edgewise::inline v0 {

/// A stream of 64-bit random numbers. Source: Steele, Lea & Flood 2014, doi:10.1145/2660193.2660195.
class splitmix64 {
public:
  explicit splitmix64(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  /// Uniform in [0, bound), bound > 0: draws of the bits that bound needs, until one is below it.
  std::uint64_t below(std::uint64_t bound) {
    std::uint64_t const mask = bound > 1 ? ~std::uint64_t{0} >> std::countl_zero(bound - 1) : 0;
    std::uint64_t draw = next() & mask;
    while (draw >= bound) draw = next() & mask;
    return draw;
  }

  /// Uniform in [0, 1), a multiple of 2^-53.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

private:
  std::uint64_t state_;
};

}  // namespace edgewise::inline v0
