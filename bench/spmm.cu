// bench_spmm: the weighted sum, forward and backward, against cuSPARSE's fastest algorithm on the same arrays.
#include <benchmark/benchmark.h>

#include <iostream>
#include <memory>

#include "baselines/cusparse_sddmm.cuh"
#include "baselines/cusparse_spmm.cuh"
#include "harness/copy_bandwidth.cuh"
#include "harness/device_environment.cuh"
#include "harness/options.hpp"
#include "harness/result.hpp"
#include "weighted_sum_case.cuh"
#if defined(EDGEWISE_BENCH_WITH_EDGEWISE) && !__has_include(<edgewise/edgewise.cuh>)
#undef EDGEWISE_BENCH_WITH_EDGEWISE  // no library, no column
#endif
#ifdef EDGEWISE_BENCH_WITH_EDGEWISE
#include "edgewise_spmm.cuh"
#endif

namespace {

using namespace edgewise::bench;

constexpr char const* description =
    "Times out[v,:] = sum_e weight[e] * feature[source of e,:] and its gradients. Reports device time of one launch:\n"
    "many launches in one CUDA graph, median of the replays, warm L2. Every result is checked before it is timed.";

// What lives as long as the program: the stream, the peer's handle, the graph in use, and the rows measured so far.
struct session {
  owned_stream stream;
  cusparse_handle cusparse;
  options chosen;
  environment where;
  std::vector<result> rows;
  bool failed = false;

  explicit session(options o) : chosen(std::move(o)) {}

  device_graph const& graph(std::string const& name) {
    if (!host_ || host_->name != name) {
      device_.reset();
      host_ = std::make_unique<host_graph>(read_graph(chosen.graph_directory, name));
      device_ = std::make_unique<device_graph>(*host_, stream);
    }
    return *device_;
  }

private:
  std::unique_ptr<host_graph> host_;
  std::unique_ptr<device_graph> device_;
};

template <class T>
std::vector<candidate> cusparse_candidates(session& s, weighted_sum_case<T>& problem, pass p) {
  return p == pass::grad_edge ? cusparse_edge_dot(s.cusparse, problem.edge_dot(), s.stream)
                              : cusparse_weighted_sum(s.cusparse, problem.product(p), s.stream);
}

result make_result(std::string const& graph, char const* dtype, int lanes, pass p, std::string const& impl,
                   fastest_candidate const& best) {
  result r{.graph = graph,
           .op = "weighted_sum",
           .lanes = lanes,
           .dtype = dtype,
           .pass = pass_name(p),
           .impl = impl,
           .variant = best.name,
           .variants_ms = {},
           .time = {},
           .bytes = {},
           .error = best.error};
  for (trial const& t : best.trials) {
    if (t.time) r.variants_ms[t.name] = t.time->median_ms;
  }
  return r;
}

// One Google Benchmark case: find the fastest correct candidate, then time it, a replay of its graph an iteration.
template <class T, class MakeCandidates>
void measure(benchmark::State& state, session& s, std::string const& name, int lanes, pass p, std::string const& impl,
             MakeCandidates make_candidates) try {
  weighted_sum_case<T> problem(s.graph(name), lanes, s.stream);
  timing_options const quick{.warm_replays = 1, .replays = 7};
  fastest_candidate best = find_fastest(
      make_candidates(problem), [&](launch_function const& f) { return problem.check(p, f); }, s.stream, quick);
  if (!best.launch) {
    std::string remarks = "no correct candidate";
    for (trial const& t : best.trials) remarks += "; " + t.name + ": " + t.remark;
    s.failed = true;
    state.SkipWithError(remarks.c_str());
    return;
  }
  captured_launches captured(s.stream, best.launch, choose_launches(s.stream, best.launch, {}));
  for (int i = 0; i < timing_options{}.warm_replays; ++i) captured.replay_ms();
  std::vector<double> samples;
  for (auto _ : state) {
    samples.push_back(captured.replay_ms());
    state.SetIterationTime(samples.back() * 1e-3);
  }
  result r = make_result(name, element<T>::name, lanes, p, impl, best);
  r.time = summarize(std::move(samples), captured.launches());
  r.bytes = problem.bytes(p);
  r.fraction_of_floor = r.bytes.floor / s.where.copy_bandwidth * 1e3 / r.time.median_ms;
  state.counters["median_ms"] = r.time.median_ms;
  state.counters["spread"] = r.time.spread;
  state.counters["of_floor"] = r.fraction_of_floor;
  state.counters["error"] = r.error;
  state.SetLabel(r.variant);
  s.rows.push_back(std::move(r));
} catch (std::exception const& failure) {
  s.failed = true;
  state.SkipWithError(failure.what());
}

template <class T>
void register_cases(session& s, std::string const& graph) {
  auto add = [&](int lanes, pass p, char const* impl, auto make_candidates) {
    std::string const title = edgewise::detail::text("weighted_sum/", graph, "/", pass_name(p), "/", element<T>::name,
                                                     "/lanes:", lanes, "/", impl);
    std::string const label = impl;
    benchmark::RegisterBenchmark(
        title.c_str(),
        [=, &s](benchmark::State& state) { measure<T>(state, s, graph, lanes, p, label, make_candidates); })
        ->UseManualTime()
        ->Iterations(timing_options{}.replays)
        ->Unit(benchmark::kMillisecond);
  };
  for (std::string const& name : s.chosen.passes) {
    pass const p = pass_from(name);
    for (int lanes : s.chosen.lanes) {
      add(lanes, p, "cusparse", [p, &s](auto& problem) { return cusparse_candidates(s, problem, p); });
#ifdef EDGEWISE_BENCH_WITH_EDGEWISE
      if constexpr (edgewise_stores<T>) {
        add(lanes, p, "edgewise", [p, &s](auto& problem) { return edgewise_weighted_sum(problem, p, s.stream); });
      }
#endif
    }
  }
}

int run(int argc, char** argv) {
  session s(parse_options(argc, argv, description, {"forward", "grad_source", "grad_edge"}, {"f32", "f16", "bf16"}));
  s.where = host_environment(s.chosen.revision);
  describe_device(s.where);
  s.where.peer = s.cusparse.version();
  s.where.copy_bandwidth = copy_bandwidth(s.stream);
  for (std::string const& graph : s.chosen.graphs) {
    for (std::string const& dtype : s.chosen.dtypes) {
      if (dtype == "f32") register_cases<float>(s, graph);
      if (dtype == "f16") register_cases<__half>(s, graph);
      if (dtype == "bf16") register_cases<__nv_bfloat16>(s, graph);
    }
  }
  std::vector<char*> flags{argv[0]};
  for (std::string& flag : s.chosen.benchmark_flags) flags.push_back(flag.data());
  int num_flags = static_cast<int>(flags.size());
  benchmark::Initialize(&num_flags, flags.data());
  if (benchmark::ReportUnrecognizedArguments(num_flags, flags.data())) return 1;
  benchmark::AddCustomContext("gpu", s.where.gpu);
  benchmark::AddCustomContext("peer", s.where.peer);
  benchmark::AddCustomContext("revision", s.where.revision);
  benchmark::RunSpecifiedBenchmarks();
  std::cout << '\n'
            << s.where.gpu << ", CUDA " << s.where.cuda_runtime << ", " << s.where.peer << ", copy "
            << s.where.copy_bandwidth * 1e-9 << " GB/s, revision " << s.where.revision << '\n';
  print_table(std::cout, s.rows);
  if (!s.chosen.out.empty()) write_results(s.chosen.out, s.where, s.rows);
  return s.failed ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (edgewise::error const& failure) {
    std::cerr << "bench_spmm: " << failure.what() << '\n';
    return 1;
  }
}
