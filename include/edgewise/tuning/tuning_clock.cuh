// Device time of launches, for choices made by measuring while a plan is made.
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>

#include <edgewise/core/device_memory.cuh>

namespace edgewise::inline v0::detail {

/// A stream and two events of a measurement's own: the caller's stream may be one that cannot be captured.
class tuning_clock {
public:
  tuning_clock() {
    check_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "measure: make a stream");
    check_cuda(cudaEventCreate(&begin_), "measure: make an event");
    check_cuda(cudaEventCreate(&end_), "measure: make an event");
  }
  tuning_clock(tuning_clock const&) = delete;
  tuning_clock& operator=(tuning_clock const&) = delete;
  ~tuning_clock() {
    if (end_) cudaEventDestroy(end_);
    if (begin_) cudaEventDestroy(begin_);
    if (stream_) cudaStreamDestroy(stream_);
  }

  stream_handle stream() const { return stream_; }

  /// Milliseconds of one run() on `stream()`: the median of five replays of a graph that holds about 2 ms of them.
  template <class Run>
  double measure(Run const& run) const {
    run();  // loads the kernels
    double const once = elapsed(run);
    int const count = static_cast<int>(std::clamp(replay_ms / std::max(once, 1e-3), 1.0, 200.0));
    recording const graph(stream_, run, count);
    std::array<double, 5> samples{};
    graph.launch();
    for (double& sample : samples) sample = elapsed([&] { graph.launch(); }) / count;
    std::sort(samples.begin(), samples.end());
    return samples[samples.size() / 2];
  }

private:
  static constexpr double replay_ms = 2;

  class recording {
  public:
    template <class Run>
    recording(stream_handle stream, Run const& run, int count) : stream_(stream) {
      check_cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "measure: begin to capture");
      cudaGraph_t graph = nullptr;
      try {
        for (int k = 0; k < count; ++k) run();
      } catch (...) {
        cudaStreamEndCapture(stream, &graph);  // a stream left in capture would fail all that follows
        if (graph) cudaGraphDestroy(graph);
        throw;
      }
      check_cuda(cudaStreamEndCapture(stream, &graph), "measure: end to capture");
      cudaError_t const made = cudaGraphInstantiate(&executable_, graph, 0);
      cudaGraphDestroy(graph);
      check_cuda(made, "measure: instantiate");
    }
    recording(recording const&) = delete;
    recording& operator=(recording const&) = delete;
    ~recording() { cudaGraphExecDestroy(executable_); }
    void launch() const { check_cuda(cudaGraphLaunch(executable_, stream_), "measure: launch"); }

  private:
    stream_handle stream_;
    cudaGraphExec_t executable_ = nullptr;
  };

  template <class Work>
  double elapsed(Work const& work) const {
    check_cuda(cudaEventRecord(begin_, stream_), "measure: record an event");
    work();
    check_cuda(cudaEventRecord(end_, stream_), "measure: record an event");
    check_cuda(cudaEventSynchronize(end_), "measure: wait for an event");
    float ms = 0;
    check_cuda(cudaEventElapsedTime(&ms, begin_, end_), "measure: read the time");
    return ms;
  }

  cudaStream_t stream_ = nullptr;
  cudaEvent_t begin_ = nullptr;
  cudaEvent_t end_ = nullptr;
};

}  // namespace edgewise::inline v0::detail
