// One run of each model on each device, each in a file of its own, so that they compile side by side.
#pragma once

#include <cstdint>
#include <string>

#include <edgewise/core/error.hpp>

#include "train/options.hpp"
#include "train/record.hpp"
#include "train/task.hpp"

namespace edgewise::train {

/// Trains once, as `train_on_cpu` and `train_on_cuda` do.
using run_function = run_record(task const& data, options const& options, std::uint64_t seed,
                                epoch_observer const& observe);

run_function gcn_on_cpu, gat_on_cpu, gt_on_cpu;     // X_on_cpu.cpp
run_function gcn_on_cuda, gat_on_cuda, gt_on_cuda;  // X_on_cuda.cu

/// The runs of all models on one device.
struct model_runs {
  run_function& gcn;
  run_function& gat;
  run_function& gt;
};

/// The run of the model of that name. Throws `invalid_argument` where there is none.
inline run_function& run_of(std::string const& model, model_runs const& runs) {
  if (model == "gcn") return runs.gcn;
  if (model == "gat") return runs.gat;
  if (model == "gt") return runs.gt;
  throw invalid_argument("there is no model " + model);
}

}  // namespace edgewise::train
