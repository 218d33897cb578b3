// Seeded random numbers, the same on every platform: std distributions differ between standard libraries.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string_view>
#include <vector>

#include <edgewise/core/error.hpp>

#include "number_format.hpp"

namespace edgewise::testing {

/// The seed that a value of EDGEWISE_TEST_SEED asks for: a fixed default when null or empty, a fresh one for "fresh",
/// else the decimal number it holds. Throws `invalid_argument` for anything else.
inline std::uint64_t parse_seed(char const* text) {
  constexpr std::uint64_t default_seed = 20230519;
  if (text == nullptr || *text == '\0') return default_seed;
  if (std::string_view(text) == "fresh") {
    std::random_device device;
    return (std::uint64_t{device()} << 32) | device();
  }
  if (std::string_view(text).find_first_not_of("0123456789") != std::string_view::npos) {
    throw invalid_argument(edgewise::detail::text("EDGEWISE_TEST_SEED = \"", text, "\": want a number or \"fresh\""));
  }
  return std::strtoull(text, nullptr, 10);
}

/// The seed of this process, read once from EDGEWISE_TEST_SEED and printed, so that a failure can be repeated.
inline std::uint64_t test_seed() {
  static std::uint64_t const seed = [] {
    std::uint64_t const parsed = parse_seed(std::getenv("EDGEWISE_TEST_SEED"));
    std::printf("random seed %llu (EDGEWISE_TEST_SEED repeats it)\n", static_cast<unsigned long long>(parsed));
    return parsed;
  }();
  return seed;
}

/// A stream of random numbers (splitmix64; Steele, Lea & Flood 2014, doi:10.1145/2660193.2660195).
class random_stream {
public:
  explicit random_stream(std::uint64_t seed) : state_(seed) {}

  /// The stream called `name` of this process's seed: what a test draws does not depend on which tests ran before.
  explicit random_stream(std::string_view name) : state_(test_seed()) {
    for (char letter : name) state_ = next_bits() ^ static_cast<unsigned char>(letter);
  }

  std::uint64_t next_bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  /// Uniform in [low, high).
  double uniform(double low = 0, double high = 1) {
    return low + (high - low) * (static_cast<double>(next_bits() >> 11) * 0x1p-53);
  }

  /// Standard normal (Box-Muller, one of the pair).
  double normal() {
    double const radius = std::sqrt(-2 * std::log(1 - uniform()));  // 1 - u is in (0, 1]
    return radius * std::cos(6.283185307179586 * uniform());
  }

  /// Uniform in [0, bound); bound > 0. Biased by less than bound / 2^53.
  int below(int bound) { return static_cast<int>(uniform() * bound); }

private:
  std::uint64_t state_;
};

/// Fills with uniform values in [low, high), rounded to T.
template <class T>
void fill_uniform(std::vector<T>& values, random_stream& random, double low = -1, double high = 1) {
  for (T& value : values) value = from_double<T>(random.uniform(low, high));
}

/// Fills with normal values, rounded to T.
template <class T>
void fill_normal(std::vector<T>& values, random_stream& random, double mean = 0, double deviation = 1) {
  for (T& value : values) value = from_double<T>(mean + deviation * random.normal());
}

/// Fills with integers in [-bound, bound]: their sums and products round nowhere, and they tie often.
template <class T>
void fill_integers(std::vector<T>& values, random_stream& random, int bound) {
  for (T& value : values) value = from_double<T>(random.below(2 * bound + 1) - bound);
}

/// `size` uniform values in [low, high), rounded to T.
template <class T>
std::vector<T> uniform_values(std::size_t size, random_stream& random, double low = -1, double high = 1) {
  std::vector<T> values(size);
  fill_uniform(values, random, low, high);
  return values;
}

/// The stored values in float64: what a reference computes with, so that rounding the inputs is no error of the kernel.
template <class T>
std::vector<double> widened(std::vector<T> const& values) {
  std::vector<double> wide(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) wide[i] = to_double(values[i]);
  return wide;
}

}  // namespace edgewise::testing
