// Where a row lies in an array, in as few instructions as a device has for it.
#pragma once

#include <cstdint>
#include <type_traits>

#include <edgewise/core/config.hpp>

namespace edgewise::inline v0::detail {

/// Row `row` of an array whose rows are `row_bytes` apart: one multiply-add where rows are counted in 32 bits. The
/// compiler moves the widening of `row_bytes` out of loops, and is left with a product of 64 bits, three instructions;
/// and it finds addresses that differ by constants anew, each from the array's start.
template <class T, class Row>
EDGEWISE_HD T* find_row(T* data, Row row, std::int32_t row_bytes) {
  std::int64_t offset = 0;
#if defined(__CUDA_ARCH__)
  if constexpr (sizeof(Row) == 4) {
    asm("mul.wide.s32 %0, %1, %2;" : "=l"(offset) : "r"(row), "r"(row_bytes));
  } else {
    offset = static_cast<std::int64_t>(row) * row_bytes;
  }
#else
  offset = static_cast<std::int64_t>(row) * row_bytes;
#endif
  using byte = std::conditional_t<std::is_const_v<T>, char const, char>;
  return reinterpret_cast<T*>(reinterpret_cast<byte*>(data) + offset);
}
/// data + i.
template <class T, class Offset>
EDGEWISE_HD T* find_element(T* data, Offset i) {
  return find_row(data, i, static_cast<std::int32_t>(sizeof(T)));
}

}  // namespace edgewise::inline v0::detail
