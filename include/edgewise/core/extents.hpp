// Heads and channels of rows, and the elements that operands of each kind have of them.
#pragma once

#include <cstdint>

#include <edgewise/core/operand.hpp>

namespace edgewise::inline v0 {

/// Axes of a row: those over which a value varies, or a sum is taken.
struct row_axes {
  bool heads = false;
  bool channels = false;

  friend constexpr bool operator==(row_axes, row_axes) = default;
};
namespace detail {

/// Heads and channels of a program's rows.
struct row_extents {
  int heads = 1;
  int channels = 1;
};

/// Elements of one row of an operand of a kind.
constexpr std::int64_t elements_of_kind(operand_kind kind, row_extents extents) {
  return std::int64_t{kind == operand_kind::wide || kind == operand_kind::per_head ? extents.heads : 1} *
         (kind == operand_kind::wide || kind == operand_kind::per_channel ? extents.channels : 1);
}

/// Elements of a sum of gradients as it grows: those of operands per channel are apart by head, [heads, channels].
constexpr std::int64_t elements_of_sum(operand_kind kind, row_extents extents) {
  return elements_of_kind(kind == operand_kind::per_channel ? operand_kind::wide : kind, extents);
}

/// Elements of a row that one tile reads: 256 where there are more.
constexpr std::int64_t elements_of_tile(std::int64_t elements) { return elements < 256 ? elements : 256; }

constexpr row_axes join_axes(row_axes a, row_axes b) { return {a.heads || b.heads, a.channels || b.channels}; }
constexpr std::int64_t elements_along(row_axes axes, row_extents extents) {
  return std::int64_t{axes.heads ? extents.heads : 1} * (axes.channels ? extents.channels : 1);
}

}  // namespace detail
}  // namespace edgewise::inline v0
