// bench_cpu_spmm: the weighted sum on the host against the sparse products of well-kept CPU libraries.
// Build with at least one of EDGEWISE_BENCH_WITH_MKL, EDGEWISE_BENCH_WITH_GRAPHBLAS, EDGEWISE_BENCH_WITH_EDGEWISE.
#include <algorithm>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "harness/host_copy.hpp"
#include "harness/host_operands.hpp"
#include "harness/host_timing.hpp"
#include "harness/options.hpp"
#include "harness/program.hpp"
#include "harness/result.hpp"
#include "weighted_sum_program.hpp"
#ifdef EDGEWISE_BENCH_WITH_MKL
#include "baselines/mkl_spmm.hpp"
#endif
#ifdef EDGEWISE_BENCH_WITH_GRAPHBLAS
#include "baselines/graphblas_spmm.hpp"
#endif
#if defined(EDGEWISE_BENCH_WITH_EDGEWISE) && !__has_include(<edgewise/edgewise.hpp>)
#undef EDGEWISE_BENCH_WITH_EDGEWISE  // no library, no column
#endif
#ifdef EDGEWISE_BENCH_WITH_EDGEWISE
#include "edgewise_cpu_spmm.hpp"
#endif

namespace {

using namespace edgewise::bench;

constexpr char const* description =
    "Times out[v,:] = sum_e weight[e] * feature[source of e,:] and its source gradient on the host: wall clock, "
    "median\n"
    "of runs in turns, every implementation on the same arrays and threads, each result checked before it is timed.\n"
    "Pin the threads: OMP_PROC_BIND=close OMP_PLACES=cores.";

struct session {
  options chosen;
  environment where;
  std::vector<result> rows;
  bool failed = false;
};

edgewise::plan_cost cost_of(host_weighted_sum const& operands) {
  return weighted_sum_cost<float>(pass::forward, operands.rows->num_rows(), operands.rows->num_neighbors,
                                  static_cast<std::int32_t>(operands.rows->num_edges()), operands.channels);
}

// Prepares and checks implementations of one case, then times those that are right in turns.
class contest {
public:
  contest(session& s, std::string const& graph, std::string const& pass, host_weighted_sum const& operands)
      : session_(&s), graph_(&graph), pass_(&pass), operands_(&operands) {}

  template <class Implementation>
  void enter(char const* impl) {
    auto product = std::make_shared<Implementation>(*operands_, session_->where.cpu_threads);
    (*product)();
    error_meter const checked = operands_->check(product->out());
    if (!checked.passed()) {
      std::cerr << *graph_ << ' ' << *pass_ << " channels " << operands_->channels << ' ' << impl
                << ": wrong result, error " << checked.worst_error() << '\n';
      session_->failed = true;
      return;
    }
    works_.push_back([product] { (*product)(); });
    result r;
    r.graph = *graph_;
    r.op = "weighted_sum";
    r.channels = operands_->channels;
    r.dtype = "f32";
    r.pass = *pass_;
    r.impl = impl;
    r.cost = cost_of(*operands_);
    r.error = checked.worst_error();
    rows_.push_back(std::move(r));
  }

  void run() {
    std::vector<timing> const times = time_in_turns(works_);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      result& r = rows_[i];
      r.time = times[i];
      r.bounds = bounds_of(r.cost, {.copy_bandwidth = session_->where.copy_bandwidth, .flops = 0, .gather = {}});
      session_->rows.push_back(std::move(r));
    }
  }

private:
  session* session_;
  std::string const* graph_;
  std::string const* pass_;
  host_weighted_sum const* operands_;
  std::vector<std::function<void()>> works_;
  std::vector<result> rows_;
};

void measure_all(session& s, std::string const& graph, std::string const& pass, host_weighted_sum const& operands) {
  contest all(s, graph, pass, operands);
#ifdef EDGEWISE_BENCH_WITH_MKL
  all.enter<mkl_spmm>("mkl");
#endif
#ifdef EDGEWISE_BENCH_WITH_GRAPHBLAS
  all.enter<graphblas_spmm>("graphblas");
#endif
#ifdef EDGEWISE_BENCH_WITH_EDGEWISE
  all.enter<edgewise_cpu_spmm>("edgewise");
#endif
  all.run();
}

std::string peer_versions() {
  std::string versions;
#ifdef EDGEWISE_BENCH_WITH_MKL
  versions += mkl_spmm::version();
#endif
#ifdef EDGEWISE_BENCH_WITH_GRAPHBLAS
  versions += (versions.empty() ? "" : "; ") + graphblas_spmm::version();
#endif
  return versions;
}

int run(int argc, char** argv) {
  session s;
  s.chosen = parse_options(argc, argv, description, {"forward", "grad_source"}, {"f32"});
  s.where = host_environment(s.chosen.revision);
  s.where.cpu_threads =
      s.chosen.threads > 0 ? s.chosen.threads : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  s.where.peer = peer_versions();
  s.where.copy_bandwidth = copy_bandwidth_on_host(s.where.cpu_threads);
  for (std::string const& name : s.chosen.graphs) {
    host_graph const graph = read_graph(s.chosen.graph_directories, name);
    for (std::string const& pass : s.chosen.passes) {
      for (int channels : s.chosen.channels) {
        host_weighted_sum const operands(pass == "forward" ? graph.by_destination : graph.by_source, channels);
        measure_all(s, name, pass, operands);
      }
    }
  }
  std::cout << s.where.cpu << ", " << s.where.cpu_threads << " threads, " << s.where.peer << ", copy "
            << s.where.copy_bandwidth * 1e-9 << " GB/s, revision " << s.where.revision << '\n';
  print_table(std::cout, s.rows);
  if (!s.chosen.out.empty()) write_results(s.chosen.out, s.where, s.rows);
  return s.failed ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) { return edgewise::bench::run_program("bench_cpu_spmm", argc, argv, run); }
