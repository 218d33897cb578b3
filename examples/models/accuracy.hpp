// The share of listed rows whose largest logit is their label's.
#pragma once

#include <cstdint>
#include <limits>
#include <utility>

#include <edgewise/core/config.hpp>

#include "models/column_sum.hpp"
#include "models/labelled_rows.hpp"
#include "models/matrix.hpp"

namespace edgewise::models {
namespace detail {

template <class T>
struct is_correct_body {
  std::int32_t const* rows;
  std::int32_t const* labels;
  T const* logits;
  std::int64_t num_classes;
  std::int32_t* is_correct;

  EDGEWISE_HD void operator()(std::int64_t i) const {
    T const* x = logits + rows[i] * num_classes;
    std::int64_t best = 0;
    for (std::int64_t c = 1; c < num_classes; ++c) best = x[c] > x[best] ? c : best;
    is_correct[i] = best == labels[i] ? 1 : 0;
  }
};

}  // namespace detail

/// Counts the listed rows, those of all ranks, that logits [R, C] classify right; of equal logits the first class wins.
template <class T, class Context>
class accuracy {
public:
  using space = typename Context::space;

  accuracy(Context const& context, labelled_rows<Context> rows)
      : rows_(std::move(rows)),
        num_rows_of_all_(context.sum_over_ranks(rows_.size())),
        is_correct_(context.template make_buffer<std::int32_t>(rows_.size()), rows_.size(), 1),
        num_correct_(context.template make_buffer<std::int32_t>(1), 1, 1),
        sum_rows_(context, rows_.size(), 1) {}

  /// Counts; neither allocates nor synchronises. Throws `invalid_argument` on another shape.
  void operator()(Context const& context, const_matrix_view<T, space> logits) {
    require_shape("accuracy: logits", logits, rows_.num_rows(), rows_.num_classes());
    context.for_each(rows_.size(), detail::is_correct_body<T>{rows_.rows(), rows_.labels(), logits.data,
                                                              rows_.num_classes(), is_correct_.view().data});
    sum_rows_(context, is_correct_.view(), num_correct_.view());
  }

  /// The last count over the number of rows, in [0, 1]; NaN without rows. Synchronises; collective.
  double value(Context const& context) const {
    if (num_rows_of_all_ == 0) return std::numeric_limits<double>::quiet_NaN();
    std::int32_t num_correct = 0;
    context.download(num_correct_.view().data, 1, &num_correct);
    return static_cast<double>(context.sum_over_ranks(num_correct)) / static_cast<double>(num_rows_of_all_);
  }

private:
  labelled_rows<Context> rows_;
  std::int64_t num_rows_of_all_;
  matrix<std::int32_t, space> is_correct_;
  matrix<std::int32_t, space> num_correct_;
  column_sum<std::int32_t, Context> sum_rows_;
};

}  // namespace edgewise::models
