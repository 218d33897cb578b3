// What context_test.cu runs on the device for context_test.cpp to judge.
#pragma once

#include <cstdint>
#include <vector>

#include "device_training.hpp"
#include "models/context.hpp"
#include "support/test_graph.hpp"

namespace edgewise::testing {

/// x under dropout at (seed, step, layer).
std::vector<float> device_dropout(std::uint64_t seed, std::uint64_t step, std::uint32_t layer, double probability,
                                  std::vector<float> const& x);

/// Column sums of x [rows, cols].
std::vector<float> device_column_sum(std::int64_t rows, std::int64_t cols, std::vector<float> const& x);

/// A number that each of `num_runs` runs of a replay adds 1 to. Run `failing` (from 0) throws after it has launched;
/// it is run again.
float device_replay(int num_runs, int failing);

/// A parameter that begins as 1, after each replay of an Adam step of the given learning rate. Its gradient is
/// always 2.
std::vector<float> device_adam(std::vector<double> const& learning_rates);

/// A GCN's traced training, and the same by replays of a captured step.
device_training_result gcn_training_on_device(test_graph const& edges, int num_steps);
std::vector<float> gcn_training_by_replay(test_graph const& edges, int num_steps);

}  // namespace edgewise::testing
