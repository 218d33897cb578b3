// What follows an aggregation in dense code: bias, rectifier and dropout in one pass, and the way back.
#pragma once

#include <cstdint>

#include <edgewise/config.hpp>

#include "models/dropout.hpp"
#include "models/matrix.hpp"

namespace edgewise::models {
namespace detail {

template <class T>
struct add_bias_body {
  T const* bias;
  std::int64_t cols;
  T* x;
  EDGEWISE_HD void operator()(std::int64_t i) const { x[i] += bias[i % cols]; }
};

template <class T>
struct bias_relu_dropout_body {
  dropout_mask<T> mask;
  T const* bias;
  std::int64_t cols;
  T* x;
  EDGEWISE_HD void operator()(std::int64_t i) const {
    T const activated = x[i] + bias[i % cols];
    x[i] = activated <= T{0} ? T{0} : mask(activated, i);  // this way round, NaN stays NaN
  }
};

template <class T>
struct relu_dropout_backward_body {
  T const* y;
  T scale;
  T* dy;
  EDGEWISE_HD void operator()(std::int64_t i) const { dy[i] = y[i] == T{0} ? T{0} : dy[i] * scale; }
};

}  // namespace detail

/// x += bias on every row, in place. Shapes: x [R, C], bias [1, C].
template <class Context, class T>
void add_bias(Context const& context, const_matrix_view<T, typename Context::space> bias,
              matrix_view<T, typename Context::space> x) {
  require_shape("add_bias: bias", bias, 1, x.cols);
  context.for_each(x.size(), detail::add_bias_body<T>{bias.data, x.cols, x.data});
}

/// x = mask(relu(x + bias)), in place. Shapes: x [R, C], bias [1, C].
template <class Context, class T>
void bias_relu_dropout(Context const& context, dropout_mask<T> const& mask,
                       const_matrix_view<T, typename Context::space> bias, matrix_view<T, typename Context::space> x) {
  require_shape("bias_relu_dropout: bias", bias, 1, x.cols);
  context.for_each(x.size(), detail::bias_relu_dropout_body<T>{mask, bias.data, x.cols, x.data});
}

/// The gradient before the bias from the gradient after the dropout, in place: dy *= scale where y != 0, else 0.
/// `y` is what `bias_relu_dropout` left: it is non-zero exactly where the rectifier is active and the element kept, so
/// the mask is not drawn again. Shapes: y and dy [R, C].
template <class Context, class T>
void relu_dropout_backward(Context const& context, dropout_mask<T> const& mask,
                           const_matrix_view<T, typename Context::space> y,
                           matrix_view<T, typename Context::space> dy) {
  require_shape("relu_dropout_backward: y", y, dy.rows, dy.cols);
  context.for_each(dy.size(), detail::relu_dropout_backward_body<T>{y.data, mask.scale(), dy.data});
}

}  // namespace edgewise::models
