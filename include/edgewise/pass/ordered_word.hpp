// Floating-point numbers as unsigned integers of the same order, so that the largest of many is one atomic maximum.
#pragma once

#include <cstdint>
#include <type_traits>

#include <edgewise/core/config.hpp>
#include <edgewise/core/scalar.hpp>

namespace edgewise::inline v0::detail {

/// The word of a number: larger for larger numbers, never 0, which stands for no number and reads as -inf.
template <class T>
struct ordered_word {
  using type = std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long>;  ///< what atomics of the device take
  static_assert(sizeof(type) == sizeof(T));
  static constexpr type sign = type(1) << (8 * sizeof(T) - 1);

  EDGEWISE_HD static type encode(T x) {
    type const bits = __builtin_bit_cast(type, x);
    return (bits & sign) != 0 ? ~bits : bits | sign;
  }
  EDGEWISE_HD static T decode(type word) {
    if (word == 0) return negative_infinity<T>();
    return __builtin_bit_cast(T, (word & sign) != 0 ? word ^ sign : ~word);
  }
};

/// Leaves the larger of two words in `place`.
template <class Word>
EDGEWISE_HD void keep_larger_word(Word* place, Word word) {
#if defined(__CUDA_ARCH__)
  atomicMax(place, word);
#else
  if (*place < word) *place = word;
#endif
}

}  // namespace edgewise::inline v0::detail
