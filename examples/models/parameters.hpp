// A model's parameters and their gradients, each side one array, so that an optimiser is one elementwise loop.
#pragma once

#include <cstddef>
#include <cstdint>
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
};

/// The values and gradients of a list of matrices, stored in list order. Each begins at a multiple of 64 bytes, so that
/// kernels read rows of it in whole words; what lies between them is 0 and stays so.
template <class T, class Context>
class parameters {
public:
  using space = typename Context::space;

  /// Values and gradients of the given shapes, 0. Throws `invalid_argument` on a negative extent.
  parameters(Context const& context, std::vector<parameter_shape> shapes) : shapes_(std::move(shapes)) {
    for (parameter_shape const& shape : shapes_) {
      if (shape.rows < 0 || shape.cols < 0) {
        throw invalid_argument(edgewise::detail::text("parameters: parameter ", offsets_.size(), " has the shape [",
                                                      shape.rows, ", ", shape.cols, "]"));
      }
      offsets_.push_back(size_);
      size_ += (shape.rows * shape.cols + alignment - 1) / alignment * alignment;
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
  matrix_view<T, space> value(std::size_t index) { return at(values_, index); }
  matrix_view<T, space> gradient(std::size_t index) { return at(gradients_, index); }

private:
  static constexpr std::int64_t alignment = 64 / sizeof(T);  // elements

  matrix_view<T, space> at(buffer<T, space>& elements, std::size_t index) {
    return {elements.data() + offsets_[index], shapes_[index].rows, shapes_[index].cols};
  }

  std::vector<parameter_shape> shapes_;
  std::vector<std::int64_t> offsets_;
  std::int64_t size_ = 0;
  buffer<T, space> values_;
  buffer<T, space> gradients_;
};

}  // namespace edgewise::models
