// What turns the scores of a row into weights.
#pragma once

#include <edgewise/core/scalar.hpp>

namespace edgewise::inline v0 {

/// weight = exp(score - largest) / 2^log2_sum. Two numbers, since their one logarithm, the log-sum-exp, loses the sum
/// of exponentials where scores are large: a row of masks of -1e9 would give each of its edges weight 1. One word, so
/// that an edge that reads a row's normalizer reads it at once.
template <class T>
struct alignas(sizeof(T) > 8 ? 16 : 2 * sizeof(T)) softmax_normalizer {
  T largest;   ///< of the row's scores; +inf in a row without weight, where every score then weighs 0
  T log2_sum;  ///< logarithm to base 2 of the sum of exp(score - largest)
};

namespace detail {

template <class T>
inline constexpr bool is_softmax_normalizer = false;
template <class T>
inline constexpr bool is_softmax_normalizer<softmax_normalizer<T>> = true;

/// The normalizer of a row from its largest score and the sum of exp(score - largest), 0 in a row without weight.
template <class T>
EDGEWISE_HD softmax_normalizer<T> make_normalizer(T largest, T sum) {
  bool const has_weight = sum != T(0);
  return {has_weight ? largest : infinity<T>(), has_weight ? fast_log2(sum) : T(0)};
}

/// The weight of an edge whose row's normalizer is known.
template <class T>
EDGEWISE_HD T softmax_weight(T score, softmax_normalizer<T> const& row) {
  return fast_weight(score - row.largest, row.log2_sum);
}

}  // namespace detail
}  // namespace edgewise::inline v0
