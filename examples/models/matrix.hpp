// Dense row-major matrices: the owning `matrix`, the `matrix_view` that kernels take, and the check of their shapes.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include <edgewise/core/error.hpp>
#include <edgewise/core/memory.hpp>

namespace edgewise::models {

/// A non-owning row-major matrix in `Space`: element (r, c) is data[r * cols + c].
template <class T, class Space>
struct matrix_view {
  T* data = nullptr;
  std::int64_t rows = 0;
  std::int64_t cols = 0;

  std::int64_t size() const { return rows * cols; }
  /// A view that may be written converts to one that is only read.
  template <class U>
  requires(!std::is_const_v<T> && std::is_same_v<U, T const>) operator matrix_view<U, Space>() const {
    return {data, rows, cols};
  }
};

/// A matrix that a function only reads. Not deduced, so that mutable views convert to it.
template <class T, class Space>
using const_matrix_view = std::type_identity_t<matrix_view<T const, Space>>;

/// An owning, move-only, uninitialised row-major matrix in `Space`.
template <class T, class Space>
class matrix {
public:
  matrix() = default;
  /// Takes over `elements` as [rows, cols]. Throws `invalid_argument` when the sizes disagree.
  matrix(buffer<T, Space> elements, std::int64_t rows, std::int64_t cols)
      : elements_(std::move(elements)), rows_(rows), cols_(cols) {
    if (rows < 0 || cols < 0 || static_cast<std::int64_t>(elements_.size()) != rows * cols) {
      throw invalid_argument(edgewise::detail::text("matrix: ", elements_.size(), " elements do not make a [", rows,
                                                    ", ", cols, "] matrix"));
    }
  }

  std::int64_t rows() const { return rows_; }
  std::int64_t cols() const { return cols_; }
  matrix_view<T, Space> view() { return {elements_.data(), rows_, cols_}; }
  matrix_view<T const, Space> view() const { return {elements_.data(), rows_, cols_}; }

private:
  buffer<T, Space> elements_;
  std::int64_t rows_ = 0;
  std::int64_t cols_ = 0;
};

/// Throws `invalid_argument` naming `operand`, by whatever prints its name, and both shapes unless `x` is [rows, cols].
template <class Name, class T, class Space>
void require_shape(Name const& operand, matrix_view<T, Space> const& x, std::int64_t rows, std::int64_t cols) {
  if (x.rows != rows || x.cols != cols) {
    throw invalid_argument(
        edgewise::detail::text(operand, " is [", x.rows, ", ", x.cols, "], expected [", rows, ", ", cols, "]"));
  }
}

}  // namespace edgewise::models
