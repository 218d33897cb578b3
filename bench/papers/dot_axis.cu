// bench_dot_axis: out[v] = sum over edges into v of dot(feature[v], feature[source]), its products over a warp's
// threads along the features or one neighbor per thread, by loads of 4 or 16 bytes, against the library's kernel: the
// microbenchmark of IO-aware GNN layers (2026), figure 1 (dot-aggr), and FeatGraph's figure 12 (SC 2020: a tree of
// threads, or one thread per edge). An experiment: these kernels are not the library's, whose threads always lie
// along the features.
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../edgewise_program.cuh"
#include "../harness/device_session.cuh"
#include "../harness/program.hpp"
#include "../harness/spot_check.hpp"

namespace edgewise::bench {
namespace {

constexpr char const* description =
    "Times out[v] = sum of dot(feature[v], feature[source of e]): a warp a row with its threads along the features, "
    "or a neighbor\na thread, by loads of 4 or 16 bytes, and the library. Warm L2; orders of the vertices by name: "
    "--names "
    "arxiv,arxiv@rcm.\nEvery result is checked before it is timed.";

struct feature;
constexpr auto sum_of_dots = gather<sum>(dot(dst<feature>, src<feature>));

/// The part of a dot product over one load of N floats.
template <int N>
struct load_of {
  float x[N];
  __device__ explicit load_of(float const* from) {
    if constexpr (N == 4) {
      float4 const word = __ldg(reinterpret_cast<float4 const*>(from));
      x[0] = word.x, x[1] = word.y, x[2] = word.z, x[3] = word.w;
    } else {
      x[0] = __ldg(from);
    }
  }
  __device__ float dot(load_of const& other) const {
    float sum = 0;
#pragma unroll
    for (int i = 0; i < N; ++i) sum += x[i] * other.x[i];
    return sum;
  }
};

constexpr int block_threads = 128;

/// The warp's sum, and the row's.
__device__ void finish_row(float sum, std::int32_t row, float* out) {
#pragma unroll
  for (int m = 16; m > 0; m /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, m);
  if (threadIdx.x % 32 == 0) out[row] = sum;
}

/// Channels along the features, neighbors one after another.
template <int N>
__global__ void __launch_bounds__(block_threads)
    along_features(grouping_view<> const g, float const* features, int channels, float* out) {
  std::int32_t const row = blockIdx.x * (block_threads / 32) + threadIdx.x / 32;
  if (row >= g.num_rows) return;
  float const* const own = features + std::int64_t{row} * channels;
  float sum = 0;
  for (std::int32_t k = g.offsets[row]; k < g.offsets[row + 1]; ++k) {
    float const* const other = features + std::int64_t{g.neighbors[k]} * channels;
    for (int i = static_cast<int>(threadIdx.x % 32) * N; i < channels; i += 32 * N) {
      sum += load_of<N>(own + i).dot(load_of<N>(other + i));
    }
  }
  finish_row(sum, row, out);
}

/// One neighbor per thread, which takes all its features.
template <int N>
__global__ void __launch_bounds__(block_threads)
    along_neighbors(grouping_view<> const g, float const* features, int channels, float* out) {
  std::int32_t const row = blockIdx.x * (block_threads / 32) + threadIdx.x / 32;
  if (row >= g.num_rows) return;
  float const* const own = features + std::int64_t{row} * channels;
  float sum = 0;
  for (std::int32_t k = g.offsets[row] + static_cast<std::int32_t>(threadIdx.x % 32); k < g.offsets[row + 1]; k += 32) {
    float const* const other = features + std::int64_t{g.neighbors[k]} * channels;
    for (int i = 0; i < channels; i += N) sum += load_of<N>(own + i).dot(load_of<N>(other + i));
  }
  finish_row(sum, row, out);
}

class dot_case {
public:
  dot_case(device_graph const& graph, std::int32_t channels, cudaStream_t stream)
      : graph_(&graph),
        channels_(channels),
        stream_(stream),
        features_(random_array<float>(static_cast<std::size_t>(graph.num_sources()) * channels, feature_seed, stream)),
        out_(make_array<float>(static_cast<std::size_t>(graph.num_destinations()), stream)) {}

  auto inputs() const { return bindings(bind<feature>(wide(features_.data(), graph_->num_sources(), channels_))); }
  auto output() { return per_head(out_.data(), graph_->num_destinations(), 1); }
  plan_cost cost() { return program_cost(*graph_, sum_of_dots, inputs(), output(), output(), false); }

  candidate of_library() {
    auto const memory = make_counted_memory();
    return {"automatic",
            [this, memory]() -> launch_function {
              cuda const exec{.stream = stream_, .memory = memory.get()};
              auto const in = inputs();
              auto const y = output();
              auto const kernel = fuse(edgewise::graph{graph_->csr()}, automatic{}, sum_of_dots);
              auto plan = std::make_shared<decltype(kernel.plan(exec, in))>(kernel.plan(exec, in));
              return [memory, plan, in, y](cudaStream_t s) { plan->forward(cuda{.stream = s}, in, edgewise::out(y)); };
            },
            memory};
  }
  template <class Kernel>
  candidate of_kernel(std::string name, Kernel kernel) {
    return {std::move(name), [this, kernel]() -> launch_function {
              return [this, kernel](cudaStream_t s) {
                int const rows_a_block = block_threads / 32;
                kernel<<<(graph_->num_destinations() + rows_a_block - 1) / rows_a_block, block_threads, 0, s>>>(
                    graph_->csr(), features_.data(), channels_, out_.data());
                check_cuda(cudaGetLastError(), "dot_axis: launch");
              };
            }};
  }

  /// Poisons the output, runs `launch` once and compares sampled rows with float64. Synchronises.
  verdict check(launch_function const& launch) {
    poison(out_, stream_);
    launch(stream_);
    check_cuda(cudaGetLastError(), "check: launch");
    error_meter meter(element<float>::epsilon);
    host_grouping const& rows = graph_->host().by_destination;
    for (std::int32_t row : sampled_rows(rows, num_sampled_rows)) {
      double sum = 0, magnitude = 0;
      std::int32_t const begin = rows.offsets[row], end = rows.offsets[row + 1];
      for (std::int32_t k = begin; k < end; ++k) {
        for (std::int32_t channel = 0; channel < channels_; ++channel) {
          double const term = value(row, channel) * value(rows.neighbors[k], channel);
          sum += term;
          magnitude += std::abs(term);
        }
      }
      float const found = download(out_, static_cast<std::size_t>(row), 1, stream_)[0];
      meter.add(found, sum, magnitude, std::max(1.0, static_cast<double>(end - begin) * channels_));
    }
    return {meter.passed(), meter.worst_error()};
  }

private:
  static constexpr std::uint64_t feature_seed = 2;
  static constexpr int num_sampled_rows = 30;

  double value(std::int32_t row, std::int32_t channel) const {
    return random_value(feature_seed, static_cast<std::uint64_t>(row) * static_cast<std::uint64_t>(channels_) +
                                          static_cast<std::uint64_t>(channel));
  }

  device_graph const* graph_;
  std::int32_t channels_;
  cudaStream_t stream_;
  device_buffer<float> features_, out_;
};

candidate variant_of(dot_case& problem, std::string const& impl) {
  if (impl == "features, 4 bytes") return problem.of_kernel(impl, along_features<1>);
  if (impl == "features, 16 bytes") return problem.of_kernel(impl, along_features<4>);
  if (impl == "neighbors, 4 bytes") return problem.of_kernel(impl, along_neighbors<1>);
  if (impl == "neighbors, 16 bytes") return problem.of_kernel(impl, along_neighbors<4>);
  return problem.of_library();
}

int run(int argc, char** argv) {
  device_session s(parse_options(argc, argv, description, {"forward"}, {"f32"}));
  for (std::string const& graph : s.chosen.graphs) {
    for (int const channels : s.chosen.channels) {
      if (channels % 4 != 0) throw invalid_argument("bench_dot_axis: --channels takes multiples of 4");
      for (std::string const impl :
           {"features, 4 bytes", "features, 16 bytes", "neighbors, 4 bytes", "neighbors, 16 bytes", "edgewise"}) {
        register_case(s, edgewise::detail::text("sum_of_dots/", graph, "/channels:", channels, "/", impl),
                      [=, &s](benchmark::State& state) {
                        dot_case problem(s.graph(graph), channels, s.stream);
                        result r;
                        r.graph = graph;
                        r.op = "sum_of_dots";
                        r.channels = channels;
                        r.dtype = "f32";
                        r.pass = "forward";
                        r.impl = impl;
                        r.cost = problem.cost();
                        measure_fastest(state, s, r, {variant_of(problem, impl)},
                                        [&](launch_function const& f) { return problem.check(f); });
                      });
      }
    }
  }
  return run_session(s, argv[0]);
}

}  // namespace
}  // namespace edgewise::bench

int main(int argc, char** argv) {
  return edgewise::bench::run_program("bench_dot_axis", argc, argv, edgewise::bench::run);
}
