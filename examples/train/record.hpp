// What a training run leaves behind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace edgewise::train {

/// One epoch: the loss is the training pass's (under dropout); validation loss and accuracies are of the updated model
/// without dropout, accuracies (micro-F1 where vertices have sets of labels) in [0, 1], NaN for a split without
/// vertices. The time covers forward, backward and update, not the scoring.
struct epoch_record {
  double loss = 0.0;
  double validation_loss = 0.0;
  double train_accuracy = 0.0;
  double validation_accuracy = 0.0;
  double test_accuracy = 0.0;
  double milliseconds = 0.0;
};

/// Called after every epoch with its number, from 0.
using epoch_observer = std::function<void(int epoch, epoch_record const& record)>;

/// One run from one seed.
struct run_record {
  std::uint64_t seed = 0;
  int num_ranks = 1;  // that trained together (ranks.hpp)
  std::vector<epoch_record> epochs;
  std::size_t last_epoch = 0;      // in `epochs`
  std::size_t best_epoch = 0;      // in `epochs` (best_epoch.hpp)
  bool has_stopped_early = false;  // before the epochs that were asked for (early_stopping.hpp)
  std::size_t peak_bytes = 0;  // allocated at once on the device in use, features and workspace included; by this rank
  std::size_t num_epoch_allocations = 0;  // allocations while training; on the whole graph 0, all being made before
};

/// The median over epochs, which forgives the first one's cold start. 0 without epochs.
double median_epoch_milliseconds(run_record const& run);

/// Mean and sample standard deviation over runs of the test accuracy of one of their epochs.
struct accuracy_summary {
  double mean = 0.0;
  double deviation = 0.0;
};
accuracy_summary test_accuracy(std::vector<run_record> const& runs, std::size_t run_record::*epoch);

}  // namespace edgewise::train
