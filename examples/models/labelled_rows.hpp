// The rows of a matrix that a loss or a score looks at, with their classes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <edgewise/core/error.hpp>
#include <edgewise/core/memory.hpp>

namespace edgewise::models {

/// A subset of rows and their class labels in the context's memory, checked once so that kernels need not.
template <class Context>
class labelled_rows {
public:
  using space = typename Context::space;

  /// `labels` has one class for every row of the matrix, -1 for unlabelled; `rows` lists the subset.
  /// Throws `invalid_argument` naming the first listed row that is out of range, repeated, or has no class in
  /// [0, num_classes). Uploads; synchronous for the arguments, which may go away.
  labelled_rows(Context const& context, std::span<std::int32_t const> labels, std::span<std::int32_t const> rows,
                std::int64_t num_classes)
      : num_rows_(static_cast<std::int64_t>(labels.size())), num_classes_(num_classes) {
    std::vector<bool> seen(labels.size());
    std::vector<std::int32_t> subset_labels;
    subset_labels.reserve(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::int64_t const row = rows[i];
      if (row < 0 || row >= num_rows_) {
        throw invalid_argument(
            edgewise::detail::text("labelled_rows: rows[", i, "] = ", row, ", but there are ", num_rows_, " labels"));
      }
      if (seen[static_cast<std::size_t>(row)]) {
        throw invalid_argument(edgewise::detail::text("labelled_rows: rows[", i, "] = ", row, " is listed twice"));
      }
      std::int32_t const label = labels[static_cast<std::size_t>(row)];
      if (label < 0 || label >= num_classes) {
        throw invalid_argument(edgewise::detail::text("labelled_rows: labels[", row, "] = ", label, " (rows[", i,
                                                      "]), but there are ", num_classes, " classes"));
      }
      seen[static_cast<std::size_t>(row)] = true;
      subset_labels.push_back(label);
    }
    rows_ = context.template make_buffer<std::int32_t>(size_of(rows));
    labels_ = context.template make_buffer<std::int32_t>(size_of(rows));
    context.upload(rows.data(), size_of(rows), rows_.data());
    context.upload(subset_labels.data(), size_of(rows), labels_.data());
    context.synchronize();
  }

  std::int64_t size() const { return static_cast<std::int64_t>(rows_.size()); }
  std::int64_t num_rows() const { return num_rows_; }
  std::int64_t num_classes() const { return num_classes_; }
  std::int32_t const* rows() const { return rows_.data(); }      // [size]
  std::int32_t const* labels() const { return labels_.data(); }  // [size], class of rows()[i]

private:
  static std::int64_t size_of(std::span<std::int32_t const> rows) { return static_cast<std::int64_t>(rows.size()); }

  std::int64_t num_rows_;
  std::int64_t num_classes_;
  buffer<std::int32_t, space> rows_;
  buffer<std::int32_t, space> labels_;
};

}  // namespace edgewise::models
