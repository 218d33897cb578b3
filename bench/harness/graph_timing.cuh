// Device time of one launch, measured over many launches in one CUDA graph so that launch cost on the host is hidden.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "stream.cuh"
#include "timing.hpp"

namespace edgewise::bench {

/// How long and how often to measure.
struct timing_options {
  double replay_ms = 10;  ///< a replay holds as many launches as take about this long, at least one
  int warm_replays = 3;   ///< replays before the first that counts
  int replays = 20;       ///< replays that count
  int max_launches = 2000;
};

namespace detail {

template <class Work>
float elapsed_ms(owned_event const& begin, owned_event const& end, cudaStream_t stream, Work&& work) {
  check_cuda(cudaEventRecord(begin, stream), "timing: record the begin");
  work();
  check_cuda(cudaEventRecord(end, stream), "timing: record the end");
  check_cuda(cudaEventSynchronize(end), "timing: synchronize");
  float ms = 0;
  check_cuda(cudaEventElapsedTime(&ms, begin, end), "timing: elapsed time");
  return ms;
}

}  // namespace detail

/// `launches` calls of `launch(stream)` captured once into an executable CUDA graph; `replay_ms()` runs and times it.
class captured_launches {
public:
  /// `launch` must be capturable: no allocation, no synchronisation. Throws `cuda_error`.
  template <class Launch>
  captured_launches(cudaStream_t stream, Launch& launch, int launches) : stream_(stream), launches_(launches) {
    cudaGraph_t graph = nullptr;
    check_cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "capture: begin");
    try {
      for (int i = 0; i < launches; ++i) launch(stream);
    } catch (...) {
      // a stream left in capture mode would fail everything that follows
      cudaStreamEndCapture(stream, &graph);
      if (graph) cudaGraphDestroy(graph);
      cudaGetLastError();
      throw;
    }
    check_cuda(cudaStreamEndCapture(stream, &graph), "capture: end");
    cudaError_t const status = cudaGraphInstantiate(&executable_, graph, 0);
    cudaGraphDestroy(graph);
    check_cuda(status, "capture: instantiate");
  }
  captured_launches(captured_launches const&) = delete;
  captured_launches& operator=(captured_launches const&) = delete;
  ~captured_launches() { cudaGraphExecDestroy(executable_); }

  int launches() const { return launches_; }

  /// Milliseconds of device time of one launch, averaged over one replay. Synchronises.
  double replay_ms() {
    float const ms = detail::elapsed_ms(
        begin_, end_, stream_, [this] { check_cuda(cudaGraphLaunch(executable_, stream_), "replay: launch"); });
    return static_cast<double>(ms) / launches_;
  }

private:
  cudaStream_t stream_;
  int launches_;
  cudaGraphExec_t executable_ = nullptr;
  owned_event begin_;
  owned_event end_;
};

/// How many launches make a replay of about `options.replay_ms`. Runs `launch` a few times; synchronises.
template <class Launch>
int choose_launches(cudaStream_t stream, Launch& launch, timing_options const& options) {
  owned_event begin, end;
  launch(stream);  // modules load and clocks rise outside the estimate
  double shortest = 1e30;
  for (int i = 0; i < 3; ++i) {
    shortest = std::min<double>(shortest, detail::elapsed_ms(begin, end, stream, [&] { launch(stream); }));
  }
  check_cuda(cudaGetLastError(), "choose_launches: launch");
  double const wanted = options.replay_ms / std::max(shortest, 1e-3);
  return static_cast<int>(std::clamp(wanted, 1.0, static_cast<double>(options.max_launches)));
}

/// Device time of one `launch(stream)`, warm L2: `launches` of it are captured in one graph, replayed, and the event
/// time is divided by `launches`. Synchronises. Throws `cuda_error` when the work fails or cannot be captured.
template <class Launch>
timing time_in_graph(cudaStream_t stream, Launch& launch, int launches, timing_options const& options = {}) {
  captured_launches captured(stream, launch, launches);
  for (int i = 0; i < options.warm_replays; ++i) captured.replay_ms();
  std::vector<double> samples(static_cast<std::size_t>(options.replays));
  for (double& sample : samples) sample = captured.replay_ms();
  return summarize(std::move(samples), launches);
}

/// Device time of one `launch(stream)`, with the number of launches chosen so that a replay takes about
/// `options.replay_ms`.
template <class Launch>
timing time_in_graph(cudaStream_t stream, Launch& launch, timing_options const& options = {}) {
  return time_in_graph(stream, launch, choose_launches(stream, launch, options), options);
}

}  // namespace edgewise::bench
