#include "train/predicted_labels.hpp"

#include <algorithm>
#include <limits>

namespace edgewise::train {
namespace {

/// The labels that a vertex has; none where nothing is known of it.
std::vector<std::int32_t> labels_of(task const& data, std::size_t v) {
  std::vector<std::int32_t> labels;
  if (data.has_label_sets()) {
    auto const width = static_cast<std::size_t>(data.num_classes);
    for (std::size_t c = 0; c < width; ++c) {
      if (data.label_sets[v * width + c] != 0) labels.push_back(static_cast<std::int32_t>(c));
    }
  } else if (!data.labels.empty() && data.labels[v] >= 0) {
    labels.push_back(data.labels[v]);
  }
  return labels;
}

}  // namespace

std::vector<std::vector<std::int32_t>> predicted_labels(std::vector<float> const& logits, std::int64_t num_classes,
                                                        bool are_sets) {
  std::vector<std::vector<std::int32_t>> labels;
  for (auto row = logits.begin(); row != logits.end(); row += num_classes) {
    auto& found = labels.emplace_back();
    if (!are_sets) {
      found.push_back(static_cast<std::int32_t>(std::max_element(row, row + num_classes) - row));
      continue;
    }
    for (std::int64_t c = 0; c < num_classes; ++c) {
      if (row[c] > 0.0f) found.push_back(static_cast<std::int32_t>(c));
    }
  }
  return labels;
}

prediction_score score_of_test_rows(task const& data, std::vector<std::vector<std::int32_t>> const& predicted) {
  // Where every vertex has one label, micro-F1 is the accuracy.
  std::size_t num_found = 0, num_either = 0, num_rows = 0;
  for (std::int32_t const row : data.test_rows) {
    auto const v = static_cast<std::size_t>(row);
    auto const there = labels_of(data, v);
    if (there.empty() && !data.has_label_sets()) continue;
    ++num_rows;
    num_either += there.size() + predicted[v].size();
    for (std::int32_t const label : there) {
      num_found += std::find(predicted[v].begin(), predicted[v].end(), label) != predicted[v].end();
    }
  }
  if (num_rows == 0) return {0, std::numeric_limits<double>::quiet_NaN()};
  if (num_either == 0) return {num_rows, 0.0};
  return {num_rows, 2.0 * static_cast<double>(num_found) / static_cast<double>(num_either)};
}

}  // namespace edgewise::train
