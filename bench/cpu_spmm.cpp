// bench_cpu_spmm: the weighted sum on the host against the sparse products of well-kept CPU libraries.
// Build with at least one of EDGEWISE_BENCH_WITH_MKL, EDGEWISE_BENCH_WITH_GRAPHBLAS, EDGEWISE_BENCH_WITH_EDGEWISE.
#include <algorithm>
#include <cstddef>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "harness/host_operands.hpp"
#include "harness/host_timing.hpp"
#include "harness/memory_floor.hpp"
#include "harness/options.hpp"
#include "harness/result.hpp"
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
    "of repeated runs, every implementation on the same arrays and threads, each result checked before it is timed.\n"
    "Pin the threads: OMP_PROC_BIND=close OMP_PLACES=cores.";

struct session {
  options chosen;
  environment where;
  std::vector<result> rows;
  bool failed = false;
};

// floors are divided by a copy through all threads' caches: arrays far larger than the last level
double copy_bandwidth_on_host(int threads) {
  std::size_t const size = std::size_t{1} << 26;  // 256 MiB each
  std::vector<float> from(size, 1.0f), to(size);
  auto const time = time_on_host([&] {
#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::size_t i = 0; i < size; ++i) to[i] = from[i];
  });
  return 2.0 * static_cast<double>(size * sizeof(float)) / (time.median_ms * 1e-3);
}

bytes_moved bytes_of(host_weighted_sum const& operands) {
  return weighted_sum_bytes({.rows = operands.rows->num_rows(),
                             .neighbors = operands.rows->num_neighbors,
                             .edges = operands.rows->num_edges(),
                             .lanes = operands.lanes,
                             .element_bytes = sizeof(float)});
}

template <class Implementation>
void measure(session& s, std::string const& graph, std::string const& pass, host_weighted_sum const& operands,
             std::string const& impl) {
  Implementation product(operands, s.where.cpu_threads);
  product();
  error_meter const checked = operands.check(product.out());
  if (!checked.passed()) {
    std::cerr << graph << ' ' << pass << " lanes " << operands.lanes << ' ' << impl << ": wrong result, error "
              << checked.worst_error() << '\n';
    s.failed = true;
    return;
  }
  timing const time = time_on_host(product);
  bytes_moved const bytes = bytes_of(operands);
  s.rows.push_back({.graph = graph,
                    .op = "weighted_sum",
                    .heads = 1,
                    .lanes = operands.lanes,
                    .dtype = "f32",
                    .pass = pass,
                    .impl = impl,
                    .variant = "",
                    .variants_ms = {},
                    .time = time,
                    .bytes = bytes,
                    .fraction_of_floor = bytes.floor / s.where.copy_bandwidth * 1e3 / time.median_ms,
                    .kernels = {},
                    .error = checked.worst_error()});
}

void measure_all(session& s, std::string const& graph, std::string const& pass, host_weighted_sum const& operands) {
#ifdef EDGEWISE_BENCH_WITH_MKL
  measure<mkl_spmm>(s, graph, pass, operands, "mkl");
#endif
#ifdef EDGEWISE_BENCH_WITH_GRAPHBLAS
  measure<graphblas_spmm>(s, graph, pass, operands, "graphblas");
#endif
#ifdef EDGEWISE_BENCH_WITH_EDGEWISE
  measure<edgewise_cpu_spmm>(s, graph, pass, operands, "edgewise");
#endif
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
    host_graph const graph = read_graph(s.chosen.graph_directory, name);
    for (std::string const& pass : s.chosen.passes) {
      for (int lanes : s.chosen.lanes) {
        host_weighted_sum const operands(pass == "forward" ? graph.by_destination : graph.by_source, lanes);
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

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (edgewise::error const& failure) {
    std::cerr << "bench_cpu_spmm: " << failure.what() << '\n';
    return 1;
  }
}
