// Rows in blocks by type, and a matrix for each type.
#pragma once

#include <cstdint>

#include <edgewise/core/config.hpp>
#include <edgewise/core/operand.hpp>

namespace edgewise::inline v0 {

/// Rows that lie in blocks, one for each type: rows of type t are [offsets[t], offsets[t + 1]), up to
/// offsets[num_types] = num_rows. Non-owning; never validates contents: a row outside of all blocks has no product.
template <class Offset = std::int32_t>
struct row_types_view {
  Offset const* offsets = nullptr;  ///< [num_types + 1], where the plan runs
  std::int64_t num_types = 0;
  std::int64_t num_rows = 0;

  /// The first row of a type, at most num_rows.
  EDGEWISE_HD std::int64_t first_row(std::int64_t type) const {
    auto const row = static_cast<std::int64_t>(offsets[type]);
    return row < num_rows ? row : num_rows;
  }
};

/// What `by_type` makes.
template <class T, class Offset>
struct typed_matrices_view : operand_view<T, operand_kind::wide> {
  row_types_view<Offset> types;
};

/// The matrix of `linear<W>(x)`, one for each type of x's rows: `bind<W>(by_type(wide(data, num_types * inputs, heads,
/// channels), types))`, the rows of type 0's matrix first. Rows of x are sources or destinations; `types` says which
/// are of which type. Vertices that are sorted by type have such blocks, and so do pairs of type and vertex
/// (`find_typed_pairs`, `typed_pairs::row_types`).
template <class T, class Offset>
typed_matrices_view<T, Offset> by_type(operand_view<T, operand_kind::wide> const& matrices,
                                       row_types_view<Offset> const& types) {
  return {matrices, types};
}

namespace detail {

template <class View>
inline constexpr bool has_row_types = false;
template <class T, class Offset>
inline constexpr bool has_row_types<typed_matrices_view<T, Offset>> = true;

}  // namespace detail
}  // namespace edgewise::inline v0
