// Inverted dropout whose mask is a function of (seed, step, layer, element): never stored, the same on every device.
#pragma once

#include <cstdint>

#include <edgewise/core/config.hpp>
#include <edgewise/core/error.hpp>

#include "models/matrix.hpp"
#include "models/random_bits.hpp"

namespace edgewise::models {

/// One dropout layer: drops an element with `probability` and scales the kept ones by 1 / (1 - probability).
/// probability 0 is the exact identity. Throws `invalid_argument` unless 0 <= probability < 1.
/// Source: Srivastava et al. 2014, JMLR 15.
template <class T>
class dropout_mask {
public:
  dropout_mask(random_state const* state, std::uint32_t layer, double probability)
      : state_(state),
        layer_(layer),
        threshold_(static_cast<std::uint32_t>(checked(probability) * 4294967296.0)),
        scale_(static_cast<T>(1.0 / (1.0 - probability))) {}

  /// x if the element is kept, scaled; 0 if it is dropped. Zeros skip the hash: inputs are mostly zeros.
  EDGEWISE_HD T operator()(T x, std::int64_t element) const {
    if (threshold_ == 0 || x == T{0}) return x;
    return random_bits(*state_, layer_, element) >= threshold_ ? x * scale_ : T{0};
  }
  EDGEWISE_HD T scale() const { return scale_; }

private:
  static double checked(double probability) {
    if (!(probability >= 0.0 && probability < 1.0)) {
      throw invalid_argument(edgewise::detail::text("dropout: probability = ", probability, " is not in [0, 1)"));
    }
    return probability;
  }

  random_state const* state_;
  std::uint32_t layer_;
  std::uint32_t threshold_;
  T scale_;
};

namespace detail {

template <class T>
struct dropout_body {
  dropout_mask<T> mask;
  T const* x;
  T* y;
  EDGEWISE_HD void operator()(std::int64_t i) const { y[i] = mask(x[i], i); }
};

}  // namespace detail

/// y = mask(x), elementwise; x and y [R, C] and may be the same. Its own backward pass: dx = mask(dy).
template <class Context, class T>
void dropout(Context const& context, dropout_mask<T> const& mask, const_matrix_view<T, typename Context::space> x,
             matrix_view<T, typename Context::space> y) {
  require_shape("dropout: y", y, x.rows, x.cols);
  context.for_each(x.size(), detail::dropout_body<T>{mask, x.data, y.data});
}

}  // namespace edgewise::models
