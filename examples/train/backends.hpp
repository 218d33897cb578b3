// The devices that models train and predict on, behind plain functions: only the .cu files need nvcc.
#pragma once

#include <cstdint>
#include <vector>

#include "models/saved_model.hpp"
#include "train/options.hpp"
#include "train/record.hpp"
#include "train/sampling.hpp"
#include "train/task.hpp"

namespace edgewise::train {

/// Trains once on the host.
run_record train_on_cpu(task const& data, options const& options, std::uint64_t seed, epoch_observer const& observe);

/// Trains once on the current CUDA device, on a stream of its own. Throws `invalid_argument` when this program was
/// built without CUDA and `cuda_error` when there is no device.
run_record train_on_cuda(task const& data, options const& options, std::uint64_t seed, epoch_observer const& observe);

/// Logits [V, classes] of a trained model, on the host and on the current CUDA device (prediction.hpp). Throw
/// `invalid_argument` where the data have another number of features than the model, and what `train_on_cuda` does.
std::vector<float> predict_on_cpu(task const& data, models::saved_model<float> const& model, sampling const& how,
                                  int num_threads);
std::vector<float> predict_on_cuda(task const& data, models::saved_model<float> const& model, sampling const& how);

}  // namespace edgewise::train
