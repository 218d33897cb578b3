// Extrema as 64-bit words: the larger word is the better message, and among equal ones the one at the earlier position.
#pragma once

#include <cstdint>

#include <edgewise/core/config.hpp>
#include <edgewise/gather/scatter_form.hpp>

namespace edgewise::inline v0::detail {

/// The type that 64-bit atomics of the device take.
using extremum_word = unsigned long long;
static_assert(sizeof(extremum_word) == 8);

/// Words hold positions of 31 bits.
inline constexpr std::int64_t most_scattered_edges = std::int64_t{1} << 31;

/// From the highest bit: 32 bits that order messages as floats are ordered (a NaN above all, -0 equal to +0), 31 bits
/// of the complement of the position, and whether the message is -0. A word of a message is never 0, which stands for
/// an empty row. So the largest word is what the fold over edges by position ends with, whoever came first: ties go to
/// the earlier position and a zero keeps its sign. Only the bits of a NaN are lost: it comes out as the canonical one.
template <scatter_form Form>
struct extremum_code {
  static_assert(Form == scatter_form::largest || Form == scatter_form::smallest);
  static constexpr std::uint32_t sign = 0x80000000u;
  static constexpr std::uint32_t nan_key = 0xffffffffu;

  EDGEWISE_HD static extremum_word encode(float message, std::uint32_t position) {
    std::uint32_t const bits = __builtin_bit_cast(std::uint32_t, message);
    bool const negative_zero = bits == sign;
    std::uint32_t const key = message != message ? nan_key : turned(ordered(negative_zero ? 0u : bits));
    return static_cast<extremum_word>(key) << 32 |
           static_cast<extremum_word>((sign - 1u - position) << 1 | (negative_zero ? 1u : 0u));
  }
  /// The message; 0 for an empty row.
  EDGEWISE_HD static float value(extremum_word word) {
    auto const key = static_cast<std::uint32_t>(word >> 32);
    if (word == 0) return 0.0f;
    if (key == nan_key) return __builtin_bit_cast(float, 0x7fc00000u);
    std::uint32_t const ascending = turned(key);
    std::uint32_t const bits = (ascending & sign) != 0 ? ascending ^ sign : ~ascending;
    return __builtin_bit_cast(float, (word & 1u) != 0 ? sign : bits);
  }
  /// The position of the edge that holds it; of words that are not 0.
  EDGEWISE_HD static std::uint32_t position(extremum_word word) {
    return sign - 1u - static_cast<std::uint32_t>((word & 0xffffffffu) >> 1);
  }

private:
  /// Floats ascend as these numbers do.
  EDGEWISE_HD static std::uint32_t ordered(std::uint32_t bits) { return (bits & sign) != 0 ? ~bits : bits | sign; }
  EDGEWISE_HD static std::uint32_t turned(std::uint32_t key) { return Form == scatter_form::smallest ? ~key : key; }
};

/// Leaves the larger of two words in `place`. `looks_first`: a device reads the word there, which only grows, and
/// leaves out the atomic operation where it would change nothing.
EDGEWISE_HD void keep_larger(extremum_word* place, extremum_word word, [[maybe_unused]] bool looks_first) {
#if defined(__CUDA_ARCH__)
  if (looks_first && *static_cast<extremum_word const volatile*>(place) >= word) return;
  atomicMax(place, word);
#else
  if (*place < word) *place = word;
#endif
}

}  // namespace edgewise::inline v0::detail
