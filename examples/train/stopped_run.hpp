// A run in a checkpoint file, from which it goes on as if it had never stopped.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/checkpoint.hpp"
#include "train/options.hpp"
#include "train/record.hpp"
#include "train/task.hpp"
#include "train/training_state.hpp"

namespace edgewise::train {

/// A run after some epochs.
struct stopped_run {
  training_state state;
  std::vector<epoch_record> epochs;
};

/// Writes a run to a file: the arrays of its model (models/saved_model.hpp), of Adam and the random state, every epoch,
/// and as "run.NAME" what has to be the same where it goes on: the data with its counts, the seed, and all options that
/// decide on a step's numbers. Throws `io_error` naming the file.
void save_run(std::string const& path, task const& data, options const& options, std::uint64_t seed,
              stopped_run const& run);

/// Reads what `save_run` wrote. Throws `io_error` naming the file for one that is no checkpoint of a run, is damaged or
/// has fewer elements than its shapes say, and `invalid_argument` naming what differs where it is of other data, of
/// another seed or trained with other options, or has more epochs than `options` asks for.
stopped_run load_run(std::string const& path, task const& data, options const& options, std::uint64_t seed);

/// Has the model of a run learned sets of labels, or one class for each vertex? Throws `io_error` where the file is of
/// no run.
bool predicts_label_sets(models::checkpoint const& file);

}  // namespace edgewise::train
