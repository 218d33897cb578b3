// How well sets of labels are found.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <utility>

#include <edgewise/core/config.hpp>

#include "models/column_sum.hpp"
#include "models/matrix.hpp"
#include "models/multi_labelled_rows.hpp"

namespace edgewise::models {
namespace detail {

template <class T>
struct count_labels_body {
  std::int32_t const* rows;
  std::uint8_t const* labels;
  T const* logits;
  std::int64_t num_labels;
  std::int64_t* counts;  // [rows, 2]: labels found, and labels predicted plus labels there are

  EDGEWISE_HD void operator()(std::int64_t i) const {
    T const* x = logits + rows[i] * num_labels;
    std::int64_t num_found = 0, num_either = 0;
    for (std::int64_t c = 0; c < num_labels; ++c) {
      int const is_predicted = x[c] > T{0} ? 1 : 0;
      int const is_there = labels[i * num_labels + c];
      num_found += is_predicted * is_there;
      num_either += is_predicted + is_there;
    }
    counts[2 * i] = num_found;
    counts[2 * i + 1] = num_either;
  }
};

}  // namespace detail

/// 2 P R / (P + R) over all listed rows, those of all ranks, and labels together: P is the share of predicted labels
/// that are right, R that of the labels that are predicted. A label is predicted where its logit is positive, its
/// probability above 1/2.
template <class T, class Context>
class micro_f1 {
public:
  using space = typename Context::space;

  micro_f1(Context const& context, multi_labelled_rows<Context> rows)
      : rows_(std::move(rows)),
        num_rows_of_all_(context.sum_over_ranks(rows_.size())),
        row_counts_(context.template make_buffer<std::int64_t>(2 * rows_.size()), rows_.size(), 2),
        counts_(context.template make_buffer<std::int64_t>(2), 1, 2),
        sum_rows_(context, rows_.size(), 2) {}

  /// Counts; neither allocates nor synchronises. Throws `invalid_argument` on another shape.
  void operator()(Context const& context, const_matrix_view<T, space> logits) {
    require_shape("micro_f1: logits", logits, rows_.num_rows(), rows_.num_labels());
    context.for_each(rows_.size(), detail::count_labels_body<T>{rows_.rows(), rows_.labels(), logits.data,
                                                                rows_.num_labels(), row_counts_.view().data});
    sum_rows_(context, row_counts_.view(), counts_.view());
  }

  /// Of the last count, in [0, 1]; 0 where no label is predicted and none is there, NaN without rows. Synchronises;
  /// collective.
  double value(Context const& context) const {
    if (num_rows_of_all_ == 0) return std::numeric_limits<double>::quiet_NaN();
    std::array<std::int64_t, 2> counts{};
    context.download(counts_.view().data, 2, counts.data());
    for (auto& count : counts) count = context.sum_over_ranks(count);
    return counts[1] == 0 ? 0.0 : 2.0 * static_cast<double>(counts[0]) / static_cast<double>(counts[1]);
  }

private:
  multi_labelled_rows<Context> rows_;
  std::int64_t num_rows_of_all_;
  matrix<std::int64_t, space> row_counts_;
  matrix<std::int64_t, space> counts_;
  column_sum<std::int64_t, Context> sum_rows_;
};

}  // namespace edgewise::models
