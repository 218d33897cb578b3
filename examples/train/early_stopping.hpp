// When to stop before the last epoch.
#pragma once

#include <algorithm>
#include <limits>

#include "train/record.hpp"

namespace edgewise::train {

/// Counts epochs that are worse than one before in both ways: a lower validation accuracy than the highest so far, and
/// a higher validation loss than the lowest. After `patience` of them in a row training ends; patience 0 never ends
/// it. Source: the code of Velickovic et al. 2018, https://github.com/PetarV-/GAT.
class early_stopping {
public:
  explicit early_stopping(int patience) : patience_(patience) {}

  void see(epoch_record const& epoch) {
    bool const is_worse = epoch.validation_accuracy < highest_accuracy_ && epoch.validation_loss > lowest_loss_;
    num_worse_ = is_worse ? num_worse_ + 1 : 0;
    highest_accuracy_ = std::max(highest_accuracy_, epoch.validation_accuracy);
    lowest_loss_ = std::min(lowest_loss_, epoch.validation_loss);
  }
  bool has_ended() const { return patience_ > 0 && num_worse_ >= patience_; }

private:
  int patience_;
  int num_worse_ = 0;
  double highest_accuracy_ = -std::numeric_limits<double>::infinity();
  double lowest_loss_ = std::numeric_limits<double>::infinity();
};

}  // namespace edgewise::train
