// The JSON record of a command: its options, its data, every epoch of every run.
#pragma once

#include <vector>

#include "train/options.hpp"
#include "train/record.hpp"
#include "train/task.hpp"

namespace edgewise::train {

/// Writes options.log. Fields: "options", "data", "runs" (one object per run, with one array entry per epoch, counted
/// from 0) and "summary", whose "mean_test_accuracy" is that of the epochs that --select names. Accuracies are in [0,
/// 1], micro-F1 where "score" of "data" says so, null where a split is empty; times in milliseconds. Throws `io_error`
/// naming the file.
void write_log(options const& options, task const& data, std::vector<run_record> const& runs);

}  // namespace edgewise::train
