// bench_hybrid_partition: the weighted sum with the features of the most used sources staged in shared memory, a part
// of them at a time, as FeatGraph's hybrid partitioning (SC 2020, section III-C.1 and figure 13), against the library's
// kernel, which has no such schedule. An experiment: this kernel is not the library's.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "../edgewise_spmm.cuh"
#include "../harness/device_session.cuh"
#include "../harness/program.hpp"

namespace edgewise::bench {
namespace {

constexpr char const* description =
    "Times out[v,:] = sum of weight[e] * feature[source of e,:] by the library and by a kernel that stages features of "
    "the\nmost used sources in shared memory, 1 to 16 parts of them one after another (hybrid partitioning). A cell "
    "lists the\ntimes of all numbers of parts. Every result is checked before it is timed. The figure's graph: "
    "--names rand100k";

constexpr int tile_channels = 32;    // of features in shared memory at a time
constexpr int staged_rows = 1600;    // of 128 bytes: 200 KB
constexpr int block_threads = 1024;  // one block per multiprocessor

/// Edges of each row in the order of their parts; those of part `num_parts` read global memory.
struct staged_edges {
  int num_parts;
  std::int32_t num_rows;
  std::int32_t const* hot;      // [num_parts * staged_rows] sources, or -1
  std::int32_t const* begins;   // [num_parts + 2, num_rows]: where a row's edges of a part begin; last: where they end
  std::int32_t const* sources;  // [E] place in the part, or the source's id
  float const* weights;         // [E] in this order
};

/// The sum over positions [begin, end) of 4 channels per thread, 8 threads per row, 4 edges at a time.
template <class Row>
__device__ float4 sum_of_edges(staged_edges const& g, std::int32_t begin, std::int32_t end, Row const& row) {
  int const lane = threadIdx.x % 32;
  float4 sum{0, 0, 0, 0};
  for (std::int32_t first = begin; first < end; first += 32) {
    bool const ok = first + lane < end;
    std::int32_t const source = ok ? g.sources[first + lane] : 0;
    float const weight = ok ? g.weights[first + lane] : 0;
#pragma unroll
    for (int k = 0; k < 32; k += 4) {
      if (first + k >= end) break;  // the same for the warp
      int const from = k + lane / 8;
      std::int32_t const s = __shfl_sync(0xffffffffu, source, from);
      float const w = __shfl_sync(0xffffffffu, weight, from);
      float4 const x = row(s);
      sum.x += w * x.x;
      sum.y += w * x.y;
      sum.z += w * x.z;
      sum.w += w * x.w;
    }
  }
#pragma unroll
  for (int m = 8; m < 32; m *= 2) {
    sum.x += __shfl_xor_sync(0xffffffffu, sum.x, m);
    sum.y += __shfl_xor_sync(0xffffffffu, sum.y, m);
    sum.z += __shfl_xor_sync(0xffffffffu, sum.z, m);
    sum.w += __shfl_xor_sync(0xffffffffu, sum.w, m);
  }
  return sum;
}

/// Block (b, t): rows b, b + blocks, ... and channels [32 t, 32 t + 32), part after part.
__global__ void __launch_bounds__(block_threads, 1)
    sum_with_staged_sources(staged_edges const g, float4 const* features, float4* out, int row_words) {
  extern __shared__ float4 staged[];  // [staged_rows, 8]
  constexpr int words = tile_channels / 4;
  int const lane = threadIdx.x % 32;
  int const word = lane % words;
  std::int64_t const first_word = std::int64_t{blockIdx.y} * words;
  for (int part = 0; part <= g.num_parts; ++part) {
    if (part < g.num_parts) {
      __syncthreads();
      for (int i = threadIdx.x; i < staged_rows * words; i += block_threads) {
        std::int32_t const source = g.hot[part * staged_rows + i / words];
        if (source >= 0) staged[i] = features[std::int64_t{source} * row_words + first_word + i % words];
      }
      __syncthreads();
    }
    std::int32_t const* const begins = g.begins + std::int64_t{part} * g.num_rows;
    for (std::int32_t row = blockIdx.x + (threadIdx.x / 32) * gridDim.x; row < g.num_rows;
         row += gridDim.x * (block_threads / 32)) {
      std::int32_t const begin = begins[row], end = begins[g.num_rows + row];
      if (begin == end && part > 0) continue;
      float4 sum = part < g.num_parts
                       ? sum_of_edges(g, begin, end, [&](std::int32_t s) { return staged[s * words + word]; })
                       : sum_of_edges(g, begin, end, [&](std::int32_t s) {
                           return features[std::int64_t{s} * row_words + first_word + word];
                         });
      if (lane >= words) continue;
      float4& to = out[std::int64_t{row} * row_words + first_word + word];
      if (part > 0) {
        float4 const before = to;
        sum = {sum.x + before.x, sum.y + before.y, sum.z + before.z, sum.w + before.w};
      }
      to = sum;
    }
  }
}

/// The arrays of `staged_edges` for one graph, sorted on the host: not timed, as a peer's preparation is not.
class staged_graph {
public:
  staged_graph(host_grouping const& rows, int num_parts, cudaStream_t stream) : num_parts_(num_parts) {
    std::vector<std::int32_t> degrees(static_cast<std::size_t>(rows.num_neighbors));
    for (std::int32_t u : rows.neighbors) ++degrees[u];
    std::vector<std::int32_t> by_degree(degrees.size());
    std::iota(by_degree.begin(), by_degree.end(), 0);
    std::stable_sort(by_degree.begin(), by_degree.end(),
                     [&](std::int32_t a, std::int32_t b) { return degrees[a] > degrees[b]; });
    std::size_t const room = static_cast<std::size_t>(num_parts) * staged_rows;
    by_degree.resize(std::min(by_degree.size(), room));
    std::vector<std::int32_t> place(degrees.size(), -1);
    for (std::size_t k = 0; k < by_degree.size(); ++k) place[by_degree[k]] = static_cast<std::int32_t>(k);
    by_degree.resize(room, -1);
    hot_ = upload(by_degree, stream);

    auto const part_of = [&](std::int32_t u) { return place[u] < 0 ? num_parts : place[u] / staged_rows; };
    std::int32_t const num_rows = rows.num_rows();
    std::vector<std::int32_t> begins((num_parts + 2) * static_cast<std::size_t>(num_rows));
    std::vector<std::int32_t> sources(rows.neighbors.size()), positions(rows.neighbors.size());
    std::vector<std::int32_t> next(num_parts + 1);
    for (std::int32_t row = 0; row < num_rows; ++row) {
      std::fill(next.begin(), next.end(), 0);
      std::int32_t const begin = rows.offsets[row], end = rows.offsets[row + 1];
      for (std::int32_t k = begin; k < end; ++k) ++next[part_of(rows.neighbors[k])];
      std::int32_t at = begin;
      for (int part = 0; part <= num_parts; ++part) {
        begins[static_cast<std::size_t>(part) * num_rows + row] = at;
        at += std::exchange(next[part], at);
      }
      begins[static_cast<std::size_t>(num_parts + 1) * num_rows + row] = end;
      for (std::int32_t k = begin; k < end; ++k) {
        std::int32_t const u = rows.neighbors[k];
        std::int32_t const to = next[part_of(u)]++;
        sources[to] = place[u] < 0 ? u : place[u] % staged_rows;
        positions[to] = k;
      }
    }
    begins_ = upload(begins, stream);
    sources_ = upload(sources, stream);
    auto const ids = upload(positions, stream);
    weights_ = random_array<float>(positions.size(), weighted_sum_case<float>::weight_seed, stream, ids.data());
    check_cuda(cudaStreamSynchronize(stream), "staged_graph: weights");
    num_rows_ = num_rows;
  }

  staged_edges view() const {
    return {num_parts_, num_rows_, hot_.data(), begins_.data(), sources_.data(), weights_.data()};
  }

private:
  int num_parts_;
  std::int32_t num_rows_ = 0;
  device_buffer<std::int32_t> hot_, begins_, sources_;
  device_buffer<float> weights_;
};

candidate with_staged_sources(weighted_sum_case<float>& c, int num_parts, cudaStream_t stream) {
  return {std::to_string(num_parts) + (num_parts == 1 ? " part" : " parts"), [=, &c]() -> launch_function {
            auto const edges = std::make_shared<staged_graph>(c.graph().host().by_destination, num_parts, stream);
            constexpr int bytes = staged_rows * tile_channels * static_cast<int>(sizeof(float));
            check_cuda(
                cudaFuncSetAttribute(sum_with_staged_sources, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
                "hybrid: shared memory");
            int device = 0, multiprocessors = 0;
            check_cuda(cudaGetDevice(&device), "hybrid: which device");
            check_cuda(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
                       "hybrid: read the device");
            return [=, &c](cudaStream_t s) {
              sum_with_staged_sources<<<dim3(multiprocessors, c.channels() / tile_channels), block_threads, bytes, s>>>(
                  edges->view(), reinterpret_cast<float4 const*>(c.features()), reinterpret_cast<float4*>(c.out()),
                  c.channels() / 4);
              check_cuda(cudaGetLastError(), "hybrid: launch");
            };
          }};
}

int run(int argc, char** argv) {
  device_session s(parse_options(argc, argv, description, {"forward"}, {"f32"}));
  for (std::string const& graph : s.chosen.graphs) {
    for (int const channels : s.chosen.channels) {
      if (channels % tile_channels != 0)
        throw invalid_argument("bench_hybrid_partition: --channels takes multiples of 32");
      for (std::string const impl : {"edgewise", "hybrid"}) {
        register_case(s, edgewise::detail::text("weighted_sum/", graph, "/channels:", channels, "/", impl),
                      [=, &s](benchmark::State& state) {
                        weighted_sum_case<float> problem(s.graph(graph), channels, s.stream);
                        result r;
                        r.graph = graph;
                        r.op = "weighted_sum";
                        r.channels = channels;
                        r.dtype = "f32";
                        r.pass = "forward";
                        r.impl = impl;
                        r.cost = problem.cost(pass::forward);
                        std::vector<candidate> candidates;
                        if (impl == "edgewise") {
                          candidates = edgewise_weighted_sum(problem, pass::forward, s.stream);
                        } else {
                          for (int const parts : {1, 2, 4, 8, 13, 16}) {
                            candidates.push_back(with_staged_sources(problem, parts, s.stream));
                          }
                        }
                        measure_fastest(state, s, r, candidates,
                                        [&](launch_function const& f) { return problem.check(pass::forward, f); });
                      });
      }
    }
  }
  return run_session(s, argv[0]);
}

}  // namespace
}  // namespace edgewise::bench

int main(int argc, char** argv) {
  return edgewise::bench::run_program("bench_hybrid_partition", argc, argv, edgewise::bench::run);
}
