// Binary cross-entropy of each label by itself over a subset of rows, with its gradient.
#pragma once

#include <cmath>
#include <cstdint>
#include <utility>

#include <edgewise/core/config.hpp>

#include "models/column_sum.hpp"
#include "models/matrix.hpp"
#include "models/multi_labelled_rows.hpp"

namespace edgewise::models {
namespace detail {

template <class T>
struct sigmoid_cross_entropy_body {
  std::int32_t const* rows;
  std::uint8_t const* labels;
  T const* logits;
  std::int64_t num_labels;
  T weight;       // 1 / number of rows of all ranks and labels
  T* row_losses;  // [rows]
  T* gradient;    // [R, C]

  EDGEWISE_HD void operator()(std::int64_t i) const {
    T const* x = logits + rows[i] * num_labels;
    T* dx = gradient + rows[i] * num_labels;
    T loss{0};
    for (std::int64_t c = 0; c < num_labels; ++c) {
      bool const has_label = labels[i * num_labels + c] != 0;
      // Of a wrong and very sure logit the exponential overflows: only those of negative numbers are formed.
      T const small = std::exp(x[c] < T{0} ? x[c] : -x[c]);
      T const probability = x[c] < T{0} ? small / (T{1} + small) : T{1} / (T{1} + small);
      T const margin = has_label ? -x[c] : x[c];
      loss += (margin > T{0} ? margin : T{0}) + std::log1p(small);
      dx[c] = weight * (probability - (has_label ? T{1} : T{0}));
    }
    row_losses[i] = weight * loss;
  }
};

}  // namespace detail

/// The mean over the listed rows, those of all ranks, and all labels of -log sigmoid(x) where the row has the label and
/// -log sigmoid(-x) where it does not, x being the logit, and its gradient. Owns loss and gradient; `operator()` writes
/// both and neither allocates nor synchronises. Rows that are not listed have gradient 0, written once at construction.
/// Deterministic. Throws `invalid_argument` without rows.
template <class T, class Context>
class sigmoid_cross_entropy {
public:
  using space = typename Context::space;

  sigmoid_cross_entropy(Context const& context, multi_labelled_rows<Context> rows)
      : rows_(std::move(rows)),
        num_rows_of_all_(context.sum_over_ranks(rows_.size())),
        row_losses_(context.template make_buffer<T>(rows_.size()), rows_.size(), 1),
        loss_(context.template make_buffer<T>(1), 1, 1),
        gradient_(context.template make_buffer<T>(rows_.num_rows() * rows_.num_labels()), rows_.num_rows(),
                  rows_.num_labels()),
        sum_rows_(context, rows_.size(), 1) {
    if (num_rows_of_all_ == 0) throw invalid_argument("sigmoid_cross_entropy: the mean over no rows is not defined");
    context.fill_zero(gradient_.view().data, gradient_.view().size());
  }

  /// Computes loss and gradient of logits [R, C]. Throws `invalid_argument` on another shape.
  void operator()(Context const& context, const_matrix_view<T, space> logits) {
    require_shape("sigmoid_cross_entropy: logits", logits, rows_.num_rows(), rows_.num_labels());
    context.for_each(rows_.size(), detail::sigmoid_cross_entropy_body<T>{
                                       rows_.rows(), rows_.labels(), logits.data, rows_.num_labels(),
                                       T{1} / static_cast<T>(num_rows_of_all_ * rows_.num_labels()),
                                       row_losses_.view().data, gradient_.view().data});
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
  multi_labelled_rows<Context> rows_;
  std::int64_t num_rows_of_all_;
  matrix<T, space> row_losses_;
  matrix<T, space> loss_;
  matrix<T, space> gradient_;
  column_sum<T, Context> sum_rows_;
};

}  // namespace edgewise::models
