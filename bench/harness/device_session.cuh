// What the device benchmarks share from start to result file: one session, one way to measure a case.
#pragma once

#include <benchmark/benchmark.h>
#include <cuda_profiler_api.h>

#include <cmath>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "candidate.cuh"
#include "device_ceilings.cuh"
#include "device_environment.cuh"
#include "device_graph.cuh"
#include "kernel_resources.cuh"
#include "options.hpp"
#include "result.hpp"

namespace edgewise::bench {

/// Lives as long as the program: the stream, the graph in use, and the rows measured so far.
class device_session {
public:
  owned_stream stream;
  options chosen;
  environment where;
  std::vector<result> rows;
  bool failed = false;

  /// Describes host and device and measures copy bandwidth and flops. Synchronises.
  explicit device_session(options o)
      : chosen(std::move(o)), where(host_environment(chosen.revision)), ceilings_(stream) {
    describe_device(where);
    where.copy_bandwidth = ceilings_.copy();
    where.flops = ceilings_.flops();
  }

  /// The graph of that name; it stays until another one is asked for.
  device_graph const& graph(std::string const& name) {
    if (!host_ || host_->name != name) {
      device_.reset();
      host_ = std::make_unique<host_graph>(read_graph(chosen.graph_directories, name));
      device_ = std::make_unique<device_graph>(*host_, stream);
      add_graph(bytes_of(*device_));
    }
    return *device_;
  }
  /// Bytes of the graphs used so far.
  std::vector<graph_bytes> const& graphs() const { return graphs_; }

  /// What a cost takes at the device's ceilings; gathers are measured the first time.
  time_bounds bounds(plan_cost const& cost) { return bounds_of(cost, ceilings_.as_bounds()); }
  std::vector<gather_ceiling> gathers() const { return ceilings_.gathers(); }

private:
  static graph_bytes bytes_of(device_graph const& g) {
    std::int64_t const edges = g.num_edges(), index = sizeof(std::int32_t);
    return {.graph = g.host().name,
            .vertices = g.num_destinations(),
            .edges = edges,
            .formats = {{"csr", index * (g.num_destinations() + 1 + edges)},
                        {"csc with edge ids", index * (g.num_sources() + 1 + 2 * edges)},
                        {"coo", index * 2 * edges}}};
  }
  void add_graph(graph_bytes const& g) {
    for (graph_bytes const& known : graphs_) {
      if (known.graph == g.graph) return;
    }
    graphs_.push_back(g);
  }

  device_ceilings ceilings_;
  std::vector<graph_bytes> graphs_;
  std::unique_ptr<host_graph> host_;
  std::unique_ptr<device_graph> device_;
};

/// One launch by itself between marks that `ncu --profile-from-start off` heeds: its kernels are those of the row, in
/// order (bench/profile.py).
inline void launch_for_profiler(cudaStream_t stream, launch_function const& launch) {
  check_cuda(cudaStreamSynchronize(stream), "profiler: before");
  check_cuda(cudaProfilerStart(), "profiler: start");
  launch(stream);
  check_cuda(cudaStreamSynchronize(stream), "profiler: launch");
  check_cuda(cudaProfilerStop(), "profiler: stop");
}

/// Finds the fastest correct candidate, times it, one replay of its graph per iteration, and adds the row. `r` comes
/// with all that names the case and with its cost; `check(launch)` as for `find_fastest`.
template <class Check>
void measure_fastest(benchmark::State& state, device_session& s, result r, std::vector<candidate> const& candidates,
                     Check&& check) {
  timing_options const quick{.warm_replays = 1, .replays = 7};
  fastest_candidate best = find_fastest(candidates, check, s.stream, quick);
  if (!best.launch) {
    std::string remarks = "no correct candidate";
    for (trial const& t : best.trials) remarks += "; " + t.name + ": " + t.remark;
    s.failed = true;
    state.SkipWithError(remarks.c_str());
    return;
  }
  r.variant = best.name;
  r.error = best.error;
  if (best.peak_bytes > 0) r.peak_bytes = best.peak_bytes;
  for (trial const& t : best.trials) {
    if (t.time) r.variants_ms[t.name] = t.time->median_ms;
  }
  r.kernels = kernels_of(s.stream, best.launch);
  captured_launches captured(s.stream, best.launch, choose_launches(s.stream, best.launch, {}));
  for (int i = 0; i < timing_options{}.warm_replays; ++i) captured.replay_ms();
  std::vector<double> samples;
  for (auto _ : state) {
    samples.push_back(captured.replay_ms());
    state.SetIterationTime(samples.back() * 1e-3);
  }
  r.time = summarize(std::move(samples), captured.launches());
  r.bounds = s.bounds(r.cost);
  state.counters["median_ms"] = r.time.median_ms;
  state.counters["spread"] = r.time.spread;
  state.counters["of_floor"] = r.fraction_of(r.bounds.floor_ms);
  state.counters["of_gather"] = r.fraction_of(r.bounds.gather_ms);
  state.counters["of_roofline"] = r.fraction_of(r.bounds.roofline_ms);
  state.counters["gathered_GBps"] = r.cost.gather_bytes() / r.time.median_ms * 1e-6;
  state.counters["error"] = r.error;
  state.SetLabel(r.variant);
  launch_for_profiler(s.stream, best.launch);
  s.rows.push_back(std::move(r));
}

/// Registers a case with Google Benchmark: `body(state)` builds its arrays and calls `measure_fastest`.
inline void register_case(device_session& s, std::string const& title, std::function<void(benchmark::State&)> body) {
  auto guarded = [&s, body = std::move(body)](benchmark::State& state) {
    try {
      body(state);
    } catch (std::exception const& failure) {
      s.failed = true;
      state.SkipWithError(failure.what());
    }
  };
  benchmark::RegisterBenchmark(title.c_str(), guarded)
      ->UseManualTime()
      ->Iterations(timing_options{}.replays)
      ->Unit(benchmark::kMillisecond);
}

/// Runs what was registered, prints the table and writes the file. The program's exit status.
inline int run_session(device_session& s, char* program_name) {
  std::vector<char*> flags{program_name};
  for (std::string& flag : s.chosen.benchmark_flags) flags.push_back(flag.data());
  int num_flags = static_cast<int>(flags.size());
  benchmark::Initialize(&num_flags, flags.data());
  if (benchmark::ReportUnrecognizedArguments(num_flags, flags.data())) return 1;
  benchmark::AddCustomContext("gpu", s.where.gpu);
  benchmark::AddCustomContext("peer", s.where.peer);
  benchmark::AddCustomContext("revision", s.where.revision);
  benchmark::RunSpecifiedBenchmarks();
  std::cout << '\n'
            << s.where.gpu << ", CUDA " << s.where.cuda_runtime << ", "
            << (s.where.peer.empty() ? "no peer" : s.where.peer) << ", copy " << s.where.copy_bandwidth * 1e-9
            << " GB/s, revision " << s.where.revision << '\n';
  s.where.gathers = s.gathers();
  print_table(std::cout, s.rows);
  if (!s.chosen.out.empty()) write_results(s.chosen.out, s.where, s.rows, s.graphs());
  return s.failed ? 1 : 0;
}

}  // namespace edgewise::bench
