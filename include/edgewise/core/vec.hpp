// Views of small vectors: operands with one more axis, whose length the compiler knows.
#pragma once

#include <cstdint>

#include <edgewise/core/operand.hpp>

namespace edgewise::inline v0 {

/// A non-owning strided operand of Length numbers where one of kind Kind (`per_row` or `per_head`) has one: element
/// (row, head, r) is data[row * row_stride + head * Length + r].
template <class T, operand_kind Kind, int Length>
struct vec_view {
  static_assert(Kind == operand_kind::per_row || Kind == operand_kind::per_head);
  static_assert(Length >= 1, "vec: a small vector has at least one component");
  using value_type = T;
  static constexpr operand_kind kind = Kind;
  static constexpr int length = Length;

  T* data = nullptr;
  std::int64_t rows = 0;
  std::int32_t heads = 1;
  std::int32_t channels = 1;
  std::int64_t row_stride = 0;

  /// Elements of one row.
  EDGEWISE_HD std::int64_t row_size() const {
    return (Kind == operand_kind::per_head ? std::int64_t{heads} : 1) * Length;
  }
};

/// [rows, Length]: a small vector per row, which `sum_over<Length>` sums over. `row_stride` 0 means contiguous rows.
template <int Length, class T>
vec_view<T, operand_kind::per_row, Length> vec_per_row(T* data, std::int64_t rows, std::int64_t row_stride = 0) {
  return {data, rows, 1, 1, row_stride ? row_stride : Length};
}
/// [rows, heads, Length]: a small vector per row and head. `row_stride` 0 means contiguous rows.
template <int Length, class T>
vec_view<T, operand_kind::per_head, Length> vec_per_head(T* data, std::int64_t rows, std::int32_t heads,
                                                         std::int64_t row_stride = 0) {
  return {data, rows, heads, 1, row_stride ? row_stride : std::int64_t{heads} * Length};
}

// Chosen for containers in place of pointers, to say so.
template <int Length, detail::array_container C, class... Extent>
auto vec_per_row(C const&, Extent...) {
  return detail::require_pointer_of<C>{};
}
template <int Length, detail::array_container C, class... Extent>
auto vec_per_head(C const&, Extent...) {
  return detail::require_pointer_of<C>{};
}

namespace detail {

/// The length of the vectors of a view; 0 of operands that have none.
template <class View>
inline constexpr int vec_length = 0;
template <class T, operand_kind Kind, int Length>
inline constexpr int vec_length<vec_view<T, Kind, Length>> = Length;

}  // namespace detail
}  // namespace edgewise::inline v0
