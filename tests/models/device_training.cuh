// Traced trainings (traced_training.hpp) on the CUDA device, step by step and by replays of a captured step.
#pragma once

#include <cstddef>
#include <vector>

#include "device_training.hpp"
#include "models/context.cuh"
#include "support/device.cuh"
#include "traced_training.hpp"

namespace edgewise::testing {

using device_context = models::context<cuda>;

/// A step captured once and replayed at will.
template <class Model>
class captured_step {
public:
  captured_step(cudaStream_t stream, traced_training<Model>& training) : stream_(stream) {
    check_cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "captured_step: begin");
    training.step();
    check_cuda(cudaStreamEndCapture(stream, &graph_), "captured_step: end");
    check_cuda(cudaGraphInstantiate(&instance_, graph_, 0), "captured_step: instantiate");
  }
  captured_step(captured_step const&) = delete;
  captured_step& operator=(captured_step const&) = delete;
  ~captured_step() {
    cudaGraphExecDestroy(instance_);
    cudaGraphDestroy(graph_);
  }
  void replay() { check_cuda(cudaGraphLaunch(instance_, stream_), "captured_step: launch"); }

private:
  cudaStream_t stream_;
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t instance_ = nullptr;
};

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

/// The same training, but every step after the second is the replay of one captured CUDA graph.
template <class Model>
std::vector<float> device_training_by_replay(test_graph const& edges, int num_steps) {
  constexpr int num_direct = 2;  // before the capture, so that every kernel is loaded
  device_stream const stream;
  device_context const context({.stream = stream.get()});
  traced_training<Model> training(context, edges);
  std::vector<float> losses;
  for (int step = 0; step < num_direct; ++step) {
    training.step();
    losses.push_back(training.loss());
  }
  captured_step step_again(stream.get(), training);
  for (int step = num_direct; step < num_steps; ++step) {
    step_again.replay();
    losses.push_back(training.loss());
  }
  return losses;
}

}  // namespace edgewise::testing
