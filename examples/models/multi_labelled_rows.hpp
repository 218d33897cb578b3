// The rows of a matrix that a loss or a score looks at, where a row may have any number of labels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <edgewise/core/error.hpp>
#include <edgewise/core/memory.hpp>

namespace edgewise::models {

/// A subset of rows and the labels that they have, in the context's memory, checked once so that kernels need not.
template <class Context>
class multi_labelled_rows {
public:
  using space = typename Context::space;

  /// labels [R, num_labels]: 1 where a row has a label, else 0; `rows` lists the subset. Throws `invalid_argument`
  /// for labels that are not whole rows, and naming the first listed row that is out of range, repeated, or has
  /// something else than 0 and 1. Uploads; synchronous for the arguments, which may go away.
  multi_labelled_rows(Context const& context, std::span<std::uint8_t const> labels, std::span<std::int32_t const> rows,
                      std::int64_t num_labels)
      : num_labels_(num_labels) {
    auto const width = static_cast<std::size_t>(num_labels);
    if (num_labels < 1 || labels.size() % width != 0) {
      throw invalid_argument(edgewise::detail::text("multi_labelled_rows: ", labels.size(), " elements are no rows of ",
                                                    num_labels, " labels"));
    }
    num_rows_ = static_cast<std::int64_t>(labels.size() / width);
    std::vector<bool> seen(static_cast<std::size_t>(num_rows_));
    std::vector<std::uint8_t> subset;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::int64_t const row = rows[i];
      if (row < 0 || row >= num_rows_) {
        throw invalid_argument(edgewise::detail::text("multi_labelled_rows: rows[", i, "] = ", row, ", but there are ",
                                                      num_rows_, " rows of labels"));
      }
      auto const place = static_cast<std::size_t>(row);
      if (seen[place]) {
        throw invalid_argument(
            edgewise::detail::text("multi_labelled_rows: rows[", i, "] = ", row, " is listed twice"));
      }
      seen[place] = true;
      for (std::size_t c = 0; c < width; ++c) {
        std::uint8_t const has_label = labels[place * width + c];
        if (has_label > 1) {
          throw invalid_argument(edgewise::detail::text("multi_labelled_rows: labels[", row, ", ", c,
                                                        "] = ", int{has_label}, " (rows[", i, "]), must be 0 or 1"));
        }
        subset.push_back(has_label);
      }
    }
    rows_ = context.template make_buffer<std::int32_t>(static_cast<std::int64_t>(rows.size()));
    labels_ = context.template make_buffer<std::uint8_t>(static_cast<std::int64_t>(subset.size()));
    context.upload(rows.data(), size(), rows_.data());
    context.upload(subset.data(), static_cast<std::int64_t>(subset.size()), labels_.data());
    context.synchronize();
  }

  std::int64_t size() const { return static_cast<std::int64_t>(rows_.size()); }
  std::int64_t num_rows() const { return num_rows_; }
  std::int64_t num_labels() const { return num_labels_; }
  std::int32_t const* rows() const { return rows_.data(); }      // [size]
  std::uint8_t const* labels() const { return labels_.data(); }  // [size, num_labels], of rows()[i]

private:
  std::int64_t num_rows_ = 0;
  std::int64_t num_labels_;
  buffer<std::int32_t, space> rows_;
  buffer<std::uint8_t, space> labels_;
};

}  // namespace edgewise::models
