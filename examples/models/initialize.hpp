// Initial parameter values, drawn on the host from counters: the same on every device.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "models/matrix.hpp"
#include "models/random_bits.hpp"

namespace edgewise::models {

/// Numbers for the matrix [rows, cols], row by row: uniform in [-a, a) with a = sqrt(6 / (rows + cols)). `layer` tells
/// the parameters of one model apart. Source: Glorot & Bengio 2010, AISTATS.
template <class T>
std::vector<T> glorot_numbers(random_state state, std::uint32_t layer, std::int64_t rows, std::int64_t cols) {
  double const bound = std::sqrt(6.0 / static_cast<double>(rows + cols));
  std::vector<T> values(static_cast<std::size_t>(rows * cols));
  for (std::int64_t i = 0; i < rows * cols; ++i) {
    double const unit = unit_interval(random_bits(state, layer, i));
    values[static_cast<std::size_t>(i)] = static_cast<T>(bound * (2.0 * unit - 1.0));
  }
  return values;
}

/// Fills w with them. Synchronous.
template <class Context, class T>
void glorot_uniform(Context const& context, random_state state, std::uint32_t layer,
                    matrix_view<T, typename Context::space> w) {
  auto const values = glorot_numbers<T>(state, layer, w.rows, w.cols);
  context.upload(values.data(), w.size(), w.data);
  context.synchronize();
}

}  // namespace edgewise::models
