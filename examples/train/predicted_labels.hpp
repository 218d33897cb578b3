// From logits to labels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "train/task.hpp"

namespace edgewise::train {

/// The labels of each vertex by logits [V, num_classes]: of sets those with a positive logit, else the class of the
/// largest, of equal ones the first.
std::vector<std::vector<std::int32_t>> predicted_labels(std::vector<float> const& logits, std::int64_t num_classes,
                                                        bool are_sets);

/// How many test rows have labels to compare with, and how well they were found: the accuracy of classes, micro-F1 of
/// sets, as in training; NaN where there are none.
struct prediction_score {
  std::size_t num_rows = 0;
  double value = 0.0;
};
prediction_score score_of_test_rows(task const& data, std::vector<std::vector<std::int32_t>> const& predicted);

}  // namespace edgewise::train
