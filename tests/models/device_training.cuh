// Traced trainings (traced_training.hpp) on the CUDA device, step by step and by replays of a recorded step.
#pragma once

#include <cstddef>
#include <vector>

#include "device_training.hpp"
#include "models/context.cuh"
#include "models/replay.cuh"
#include "support/device.cuh"
#include "traced_training.hpp"

namespace edgewise::testing {

using device_context = models::context<cuda>;

template <class Model>
device_training_result device_training(test_graph const& edges, int num_steps) {
  device_stream const stream;
  counting_resource memory(device_memory());
  device_context const context({.stream = stream.get(), .memory = &memory});
  traced_training<Model> training(context, edges);
  std::size_t const num_allocations = memory.num_allocations();
  device_training_result result{};
  for (int step = 0; step < num_steps; ++step) {
    training.step();
    result.losses.push_back(training.loss());
  }
  result.num_allocations = memory.num_allocations() - num_allocations;
  return result;
}

/// A traced training, but every step after the first is the replay of one captured CUDA graph.
template <class Model>
std::vector<float> device_training_by_replay(test_graph const& edges, int num_steps) {
  device_stream const stream;
  device_context const context({.stream = stream.get()});
  traced_training<Model> training(context, edges);
  models::replay<device_context> steps;
  std::vector<float> losses;
  for (int step = 0; step < num_steps; ++step) {
    steps.run(context, [&] { training.step(); });
    losses.push_back(training.loss());
  }
  return losses;
}

}  // namespace edgewise::testing
