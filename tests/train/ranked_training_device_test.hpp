// What ranked_training_device_test.cu runs on the device for ranked_training_device_test.cpp to judge.
#pragma once

#include <vector>

#include "train/options.hpp"
#include "train/record.hpp"
#include "train/task.hpp"

namespace edgewise::testing {

/// A GCN's training by ranks that are threads, all on the current device: what each of them has seen.
std::vector<train::run_record> train_on_device_ranks(train::task const& data, train::options const& options,
                                                     int num_ranks);

}  // namespace edgewise::testing
