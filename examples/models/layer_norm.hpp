// Layer normalisation, for what follows a gather.
#pragma once

#include <cstdint>

#include <edgewise/edgewise.hpp>

namespace edgewise::models {

/// The sum of all heads and channels of rows with both.
template <class E>
constexpr auto sum_of_row(E const& rows) {
  return sum_channels(sum_heads(rows));
}

/// (rows - mean) / sqrt(variance + 1e-5) gain + shift, mean and variance over the `width` elements of each row [heads,
/// channels]; gain and shift are one row each. Source: Ba et al. 2016, arXiv:1607.06450, equation 4.
template <class gain, class shift, class E>
constexpr auto layer_norm(E const& rows, std::int64_t width) {
  double const share = 1 / static_cast<double>(width);
  auto const centred = rows - sum_of_row(rows) * share;
  return centred / sqrt(sum_of_row(square(centred)) * share + 1e-5) * param<gain> + param<shift>;
}

}  // namespace edgewise::models
