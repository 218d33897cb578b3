// Softmax cross-entropy over a subset of rows, with its gradient.
#pragma once

#include <cmath>
#include <cstdint>
#include <utility>

#include <edgewise/core/config.hpp>

#include "models/column_sum.hpp"
#include "models/labelled_rows.hpp"
#include "models/matrix.hpp"

namespace edgewise::models {
namespace detail {

template <class T>
struct cross_entropy_body {
  std::int32_t const* rows;
  std::int32_t const* labels;
  T const* logits;
  std::int64_t num_classes;
  T weight;       // 1 / number of rows of all ranks
  T* row_losses;  // [rows]
  T* gradient;    // [R, C]

  EDGEWISE_HD void operator()(std::int64_t i) const {
    T const* x = logits + rows[i] * num_classes;
    T* dx = gradient + rows[i] * num_classes;
    T largest = x[0];
    for (std::int64_t c = 1; c < num_classes; ++c) largest = x[c] > largest ? x[c] : largest;
    T sum{0};
    for (std::int64_t c = 0; c < num_classes; ++c) {
      dx[c] = std::exp(x[c] - largest);
      sum += dx[c];
    }
    T const normalizer = weight / sum;
    for (std::int64_t c = 0; c < num_classes; ++c) dx[c] *= normalizer;
    dx[labels[i]] -= weight;
    row_losses[i] = weight * (largest + std::log(sum) - x[labels[i]]);
  }
};

}  // namespace detail

/// The mean over the listed rows, those of all ranks, of -log softmax(logits[row])[label], and its gradient.
/// Owns loss and gradient; `operator()` writes both and neither allocates nor synchronises. Rows that are not listed
/// have gradient 0, written once at construction. Deterministic. Throws `invalid_argument` without rows or classes.
template <class T, class Context>
class softmax_cross_entropy {
public:
  using space = typename Context::space;

  softmax_cross_entropy(Context const& context, labelled_rows<Context> rows)
      : rows_(std::move(rows)),
        num_rows_of_all_(context.sum_over_ranks(rows_.size())),
        row_losses_(context.template make_buffer<T>(rows_.size()), rows_.size(), 1),
        loss_(context.template make_buffer<T>(1), 1, 1),
        gradient_(context.template make_buffer<T>(rows_.num_rows() * rows_.num_classes()), rows_.num_rows(),
                  rows_.num_classes()),
        sum_rows_(context, rows_.size(), 1) {
    if (num_rows_of_all_ == 0) throw invalid_argument("softmax_cross_entropy: the mean over no rows is not defined");
    context.fill_zero(gradient_.view().data, gradient_.view().size());
  }

  /// Computes loss and gradient of logits [R, C]. Throws `invalid_argument` on another shape.
  void operator()(Context const& context, const_matrix_view<T, space> logits) {
    require_shape("softmax_cross_entropy: logits", logits, rows_.num_rows(), rows_.num_classes());
    context.for_each(rows_.size(),
                     detail::cross_entropy_body<T>{rows_.rows(), rows_.labels(), logits.data, rows_.num_classes(),
                                                   T{1} / static_cast<T>(num_rows_of_all_), row_losses_.view().data,
                                                   gradient_.view().data});
    sum_rows_(context, row_losses_.view(), loss_.view());
  }

  /// The last loss. Synchronises; collective.
  T loss(Context const& context) const {
    T value{};
    context.download(loss_.view().data, 1, &value);
    return context.sum_over_ranks(value);
  }
  /// d loss / d logits, [R, C], in the context's memory.
  matrix_view<T const, space> gradient() const { return gradient_.view(); }

private:
  labelled_rows<Context> rows_;
  std::int64_t num_rows_of_all_;
  matrix<T, space> row_losses_;
  matrix<T, space> loss_;
  matrix<T, space> gradient_;
  column_sum<T, Context> sum_rows_;
};

}  // namespace edgewise::models
