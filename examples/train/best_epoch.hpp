// The epoch that a run is judged by where it is not the last.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "train/record.hpp"

namespace edgewise::train {

/// The epoch of highest validation accuracy; of equal ones that of lowest validation loss, then the first. The last
/// epoch where there are no validation vertices. `epochs` must not be empty.
inline std::size_t best_epoch(std::vector<epoch_record> const& epochs) {
  if (std::isnan(epochs.back().validation_accuracy)) return epochs.size() - 1;
  auto const is_worse = [](epoch_record const& a, epoch_record const& b) {
    if (a.validation_accuracy != b.validation_accuracy) return a.validation_accuracy < b.validation_accuracy;
    return a.validation_loss > b.validation_loss;
  };
  return static_cast<std::size_t>(std::max_element(epochs.begin(), epochs.end(), is_worse) - epochs.begin());
}

}  // namespace edgewise::train
