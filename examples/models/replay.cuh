// The device's side of replay.hpp: the second run is recorded as a CUDA graph, which later runs launch whole.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <type_traits>

#include <edgewise/core/device_memory.cuh>

#include "models/context.cuh"
#include "models/replay.hpp"

namespace edgewise::models {

/// The first run launches as it is, so that kernels are loaded and libraries set up outside of a capture. Not for work
/// that allocates, synchronises or reads what the host changes between runs. Ranks (ranked_context.hpp) do not record:
/// nothing shows that their messages, on a stream of the communicator, may be replayed.
template <>
class replay<context<cuda>> {
public:
  template <class Work>
  void run(context<cuda> const& context, Work const& work) {
    if (!has_run_) {
      work();
      has_run_ = true;
      return;
    }
    cudaStream_t const stream = context.resource().stream;
    if (!graph_) graph_ = record(stream, work);
    check_cuda(cudaGraphLaunch(graph_.get(), stream), "replay: cudaGraphLaunch");
  }

private:
  struct destroy {
    void operator()(cudaGraphExec_t graph) const { cudaGraphExecDestroy(graph); }
  };
  using graph_handle = std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, destroy>;

  template <class Work>
  static graph_handle record(cudaStream_t stream, Work const& work) {
    check_cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "replay: cudaStreamBeginCapture");
    cudaGraph_t captured = nullptr;
    try {
      work();
    } catch (...) {
      cudaStreamEndCapture(stream, &captured);
      if (captured) cudaGraphDestroy(captured);
      throw;
    }
    check_cuda(cudaStreamEndCapture(stream, &captured), "replay: cudaStreamEndCapture");
    cudaGraphExec_t instance = nullptr;
    cudaError_t const status = cudaGraphInstantiate(&instance, captured, 0);
    cudaGraphDestroy(captured);
    check_cuda(status, "replay: cudaGraphInstantiate");
    return graph_handle(instance);
  }

  bool has_run_ = false;
  graph_handle graph_;
};

}  // namespace edgewise::models
