// A model's parameters and their gradients, each side one array, so that an optimiser is one elementwise loop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include <edgewise/core/error.hpp>
#include <edgewise/core/memory.hpp>

#include "models/matrix.hpp"

namespace edgewise::models {

/// The extents of one parameter.
struct parameter_shape {
  std::int64_t rows;
  std::int64_t cols;
  bool is_packed = false;  ///< one of those that lie side by side, as columns of one matrix
};

/// A matrix of parameters, or of their gradients: element (r, c) is data[r * row_stride + c].
template <class T, class Space>
struct parameter_view {
  T* data = nullptr;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t row_stride = 0;

  std::int64_t size() const { return rows * cols; }
  /// Element (r, c), of host memory.
  T& at(std::int64_t r, std::int64_t c) const requires std::is_same_v<Space, host_space> {
    return data[r * row_stride + c];
  }
  /// Of a parameter that is not packed: its rows lie one after the other.
  matrix_view<T, Space> as_matrix() const { return {data, rows, cols}; }
};

/// The values and gradients of a list of matrices, stored in list order, the packed ones in the place of the first of
/// them. Each begins at a multiple of 64 bytes, packed ones and their rows at one of 16, so that kernels read rows in
/// whole words; what lies between them is 0 and stays so.
template <class T, class Context>
class parameters {
public:
  using space = typename Context::space;
  using view = parameter_view<T, space>;

  /// Values and gradients of the given shapes, 0. Throws `invalid_argument` on a negative extent, and where packed ones
  /// have different numbers of rows.
  parameters(Context const& context, std::vector<parameter_shape> shapes) : shapes_(std::move(shapes)) {
    for (std::size_t k = 0; k < shapes_.size(); ++k) {
      require_shape(k);
      if (!shapes_[k].is_packed) continue;
      if (packed_.cols == 0) packed_.rows = shapes_[k].rows;
      packed_.cols += align(shapes_[k].cols, 16);
    }
    packed_.row_stride = packed_.cols;
    std::int64_t next_column = 0;
    bool has_packed = false;
    for (parameter_shape const& shape : shapes_) {
      if (shape.is_packed && !has_packed) {
        packed_offset_ = size_;
        size_ += align(packed_.size(), 64);
        has_packed = true;
      }
      offsets_.push_back(shape.is_packed ? packed_offset_ + next_column : size_);
      if (shape.is_packed) {
        next_column += align(shape.cols, 16);
      } else {
        size_ += align(shape.rows * shape.cols, 64);
      }
    }
    values_ = context.template make_buffer<T>(size_);
    gradients_ = context.template make_buffer<T>(size_);
    context.fill_zero(values_.data(), size_);
    context.fill_zero(gradients_.data(), size_);
  }

  std::size_t count() const { return shapes_.size(); }
  std::int64_t size() const { return size_; }  // elements of all parameters together, and between them
  T* values() { return values_.data(); }
  T* gradients() { return gradients_.data(); }

  /// Parameter `index` in list order, and its gradient.
  view value(std::size_t index) { return at(values_.data(), index); }
  view gradient(std::size_t index) { return at(gradients_.data(), index); }
  /// Parameter `index` in other memory that is laid out as `values` is.
  template <class Space>
  parameter_view<T, Space> value_in(T* values, std::size_t index) const {
    parameter_shape const& shape = shapes_[index];
    return {values + offsets_[index], shape.rows, shape.cols, shape.is_packed ? packed_.cols : shape.cols};
  }

  /// All packed parameters as one matrix, and its gradient; no columns where there are none.
  view packed_value() { return packed_in(values_.data()); }
  view packed_gradient() { return packed_in(gradients_.data()); }
  /// The first column of packed parameter `index` in that matrix.
  std::int64_t packed_column(std::size_t index) const { return offsets_[index] - packed_offset_; }

private:
  // The least number of elements that is at least `size` and fills a multiple of so many bytes.
  static std::int64_t align(std::int64_t size, std::int64_t bytes) {
    std::int64_t const unit = bytes / static_cast<std::int64_t>(sizeof(T));
    return (size + unit - 1) / unit * unit;
  }
  void require_shape(std::size_t k) const {
    parameter_shape const& shape = shapes_[k];
    if (shape.rows < 0 || shape.cols < 0) {
      throw invalid_argument(
          edgewise::detail::text("parameters: parameter ", k, " has the shape [", shape.rows, ", ", shape.cols, "]"));
    }
    if (shape.is_packed && packed_.cols > 0 && shape.rows != packed_.rows) {
      throw invalid_argument(edgewise::detail::text("parameters: parameter ", k, " has ", shape.rows,
                                                    " rows, those that it is packed with have ", packed_.rows));
    }
  }
  view at(T* elements, std::size_t index) const { return value_in<space>(elements, index); }
  view packed_in(T* elements) const {
    return {elements + packed_offset_, packed_.rows, packed_.cols, packed_.row_stride};
  }

  std::vector<parameter_shape> shapes_;
  std::vector<std::int64_t> offsets_;
  parameter_view<T, space> packed_;  // its extents
  std::int64_t packed_offset_ = 0;
  std::int64_t size_ = 0;
  buffer<T, space> values_;
  buffer<T, space> gradients_;
};

}  // namespace edgewise::models
