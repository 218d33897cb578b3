// The devices a run can train on, behind plain functions: only the .cu files need nvcc.
#pragma once

#include <cstdint>

#include "train/options.hpp"
#include "train/record.hpp"
#include "train/task.hpp"

namespace edgewise::train {

/// Trains once on the host.
run_record train_on_cpu(task const& data, options const& options, std::uint64_t seed, epoch_observer const& observe);

/// Trains once on the current CUDA device, on a stream of its own. Throws `invalid_argument` when this program was
/// built without CUDA and `cuda_error` when there is no device.
run_record train_on_cuda(task const& data, options const& options, std::uint64_t seed, epoch_observer const& observe);

}  // namespace edgewise::train
