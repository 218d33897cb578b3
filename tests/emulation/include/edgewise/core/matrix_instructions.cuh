// The emulated device's side of include/edgewise/core/matrix_instructions.cuh: the same functions, by exchanges of a
// warp. Copies are done at once.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <edgewise/core/config.hpp>
#include <edgewise/core/float16.hpp>

namespace edgewise::inline v0::detail {

struct tf32 {
  std::uint32_t bits;

  tf32() = default;
  explicit tf32(float x) : bits(std::bit_cast<std::uint32_t>(x)) {
    bool const is_finite = (bits & 0x7f800000u) != 0x7f800000u;
    if (is_finite) bits = (bits + 0x1000u) & 0xffffe000u;
  }
};

inline void start_copy(void* to, void const* from, int bytes) {
  std::memset(to, 0, 16);
  std::memcpy(to, from, static_cast<std::size_t>(bytes));
}
inline void end_copies() {}
template <int Pending>
void wait_for_copies() {}

/// Element (row, column) of a matrix of 16 bits whose row `row` lane first + row names.
inline std::uint16_t matrix_element(void const* own_row, int first, int row, int column) {
  auto const address = reinterpret_cast<std::uint64_t>(own_row);
  auto const* const elements = reinterpret_cast<std::uint16_t const*>(__shfl_sync(0xffffffffu, address, first + row));
  return elements[column];
}
inline void load_matrices(std::uint32_t (&to)[4], void const* row) {
  int const g = emulation::lane() / 4, q = emulation::lane() % 4;
  for (int i = 0; i < 4; ++i) {
    std::uint32_t const low = matrix_element(row, 8 * i, g, 2 * q);
    std::uint32_t const high = matrix_element(row, 8 * i, g, 2 * q + 1);
    to[i] = low | high << 16;
  }
}
inline void load_transposed_matrices(std::uint32_t (&to)[4], void const* row) {
  int const g = emulation::lane() / 4, q = emulation::lane() % 4;
  for (int i = 0; i < 4; ++i) {
    std::uint32_t const low = matrix_element(row, 8 * i, 2 * q, g);
    std::uint32_t const high = matrix_element(row, 8 * i, 2 * q + 1, g);
    to[i] = low | high << 16;
  }
}

/// Half `i` of a word, as a number.
template <class T>
float half_of_word(std::uint32_t word, int i) {
  T x;
  x.bits = static_cast<std::uint16_t>(word >> (16 * i));
  return static_cast<float>(x);
}
/// The elements of a word: two of 16 bits, or one of tf32, whose last 13 bits are not read.
template <class T>
inline constexpr int elements_of_word = std::is_same_v<T, tf32> ? 1 : 2;
template <class T>
float element_of_word(std::uint32_t word, int i) {
  if constexpr (std::is_same_v<T, tf32>) {
    return std::bit_cast<float>(word & 0xffffe000u);
  } else {
    return half_of_word<T>(word, i);
  }
}
/// c += a b: each thread has two rows of two columns.
template <class T>
void multiply_matrices(float (&c)[4], std::uint32_t const (&a)[4], std::uint32_t b0, std::uint32_t b1) {
  int const g = emulation::lane() / 4, q = emulation::lane() % 4;
  for (int k = 0; k < 4; ++k) {  // the lane that has those columns of a, and rows of b, that lane k of a quad has
    std::uint32_t of_a[4];
    for (int i = 0; i < 4; ++i) of_a[i] = __shfl_sync(0xffffffffu, a[i], 4 * g + k);
    for (int column = 0; column < 2; ++column) {
      std::uint32_t const low = __shfl_sync(0xffffffffu, b0, 4 * (2 * q + column) + k);
      std::uint32_t const high = __shfl_sync(0xffffffffu, b1, 4 * (2 * q + column) + k);
      for (int row = 0; row < 2; ++row) {
        for (int i = 0; i < elements_of_word<T>; ++i) {
          c[2 * row + column] += element_of_word<T>(of_a[row], i) * element_of_word<T>(low, i) +
                                 element_of_word<T>(of_a[row + 2], i) * element_of_word<T>(high, i);
        }
      }
    }
  }
}

}  // namespace edgewise::inline v0::detail
