// Matrices as dense products read them.
#pragma once

#include <cstdint>

#include <edgewise/core/config.hpp>

namespace edgewise::inline v0 {

/// A non-owning matrix: element (i, j) is data[i * row_stride + j * column_stride].
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
  constexpr matrix_view rows_from(std::int64_t first, std::int64_t count) const {
    return {data + first * row_stride, count, columns, row_stride, column_stride};
  }
};

}  // namespace edgewise::inline v0
