// Numbers and functions that count: how often an operand is loaded, an operation evaluated and pulled.
#pragma once

#include <edgewise/core/config.hpp>
#include <edgewise/core/scalar.hpp>

namespace edgewise::testing {

/// Storage of a float that counts its loads: kernels convert what they load to the accumulator. Each array has a tag;
/// numbers that kernels make themselves have tag 0.
struct counted_number {
  float value = 0;
  int tag = 0;

  counted_number() = default;
  explicit counted_number(float x, int t = 0) : value(x), tag(t) {}
  explicit operator float() const {
    ++loads[tag];
    return value;
  }

  static constexpr int num_tags = 16;
  static inline long loads[num_tags] = {};
  static void reset() {
    for (long& count : loads) count = 0;
  }
};

/// x -> x * x for one scalar per call; each Tag counts apart. Threads would race: runs take one.
template <int Tag>
struct counted_square {
  static inline long values = 0;
  static inline long pulls = 0;
  static void reset() { values = pulls = 0; }

  template <class T>
  T operator()(T x) const {
    ++values;
    return x * x;
  }
  template <int I, class T>
  T pull(T adjoint, T, T x) const {
    ++pulls;
    return adjoint * (x + x);
  }
};

}  // namespace edgewise::testing

template <>
struct edgewise::detail::accumulator<edgewise::testing::counted_number> {
  using type = float;
};
