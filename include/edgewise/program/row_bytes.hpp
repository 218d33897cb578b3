// Bytes that passes read of the rows of a list of bound leaves, or sum for them.
#pragma once

#include <cstdint>

#include <edgewise/core/extents.hpp>
#include <edgewise/program/bound_leaf.hpp>

namespace edgewise::inline v0::detail {

/// Bytes that an edge reads of operands at one vertex, a tile at a time.
template <class... Bound>
constexpr std::int64_t bytes_of_tile(type_list<Bound...>, [[maybe_unused]] row_extents extents) {
  return (std::int64_t{0} + ... +
          (is_operand_bound<Bound>::value * elements_of_tile(elements_of_kind(Bound::kind, extents)) *
           static_cast<std::int64_t>(sizeof(typename Bound::storage))));
}

/// Bytes of a row that is shorter than what a cache reads at least; else 0.
constexpr std::int64_t bytes_within_sector(std::int64_t bytes) {
  constexpr std::int64_t sector = 32;
  return bytes < sector ? bytes : 0;
}
/// Bytes that an edge reads of its own operands, of rows shorter than a sector.
template <class... Bound>
constexpr std::int64_t bytes_within_sectors(type_list<Bound...>, [[maybe_unused]] row_extents extents) {
  return (std::int64_t{0} + ... +
          bytes_within_sector(is_operand_bound<Bound>::value * elements_of_kind(Bound::kind, extents) *
                              static_cast<std::int64_t>(sizeof(typename Bound::storage))));
}

/// Is a wide operand stored in 16 bits?
template <class Table>
inline constexpr bool any_float16 = false;
template <class... Bound>
inline constexpr bool any_float16<type_list<Bound...>> =
    ((is_operand_bound<Bound>::value && is_float16<typename Bound::storage> && Bound::kind == operand_kind::wide) ||
     ...);

/// Bytes of a pass's sums over all edges.
template <class T, class... Bound>
constexpr std::int64_t sums_bytes(type_list<Bound...>, [[maybe_unused]] row_extents extents) {
  return (
      std::int64_t{0} + ... +
      ((is_operand_bound<Bound>::value * elements_of_sum(Bound::kind, extents) * static_cast<std::int64_t>(sizeof(T)) +
        15) /
       16 * 16));
}

}  // namespace edgewise::inline v0::detail
