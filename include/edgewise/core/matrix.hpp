// Matrices as dense products read them.
#pragma once

#include <cstdint>

#include <edgewise/core/config.hpp>

namespace edgewise::inline v0 {

/// A non-owning matrix: element (i, j) is `data[i * row_stride + j * column_stride]`.
template <class T>
struct matrix_view {
  using value_type = T;

  T* data = nullptr;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t row_stride = 0;
  std::int64_t column_stride = 1;

  EDGEWISE_HD T& at(std::int64_t i, std::int64_t j) const { return data[i * row_stride + j * column_stride]; }
  EDGEWISE_HD constexpr matrix_view transposed() const { return {data, columns, rows, column_stride, row_stride}; }
  /// `count` rows from `first` on.
  EDGEWISE_HD constexpr matrix_view rows_from(std::int64_t first, std::int64_t count) const {
    return {data + first * row_stride, count, columns, row_stride, column_stride};
  }
};

/// Matrices of one shape, `step` elements apart.
template <class T>
struct matrices_view {
  matrix_view<T> first;
  std::int64_t step = 0;

  EDGEWISE_HD constexpr matrix_view<T> operator[](std::int64_t number) const {
    return {first.data + number * step, first.rows, first.columns, first.row_stride, first.column_stride};
  }
  constexpr matrices_view transposed() const { return {first.transposed(), step}; }
};

}  // namespace edgewise::inline v0
