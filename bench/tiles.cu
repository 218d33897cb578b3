// bench_tiles: programs over tiles on tensor cores beside the same programs over csr and csc. Rows are stored as
// float16, or as what EDGEWISE_TILES_STORAGE says when it is compiled: bfloat16, or float, which tiles read as tf32.
#include <cmath>
#include <cstdio>
#include <string>
#include <type_traits>
#include <vector>

#include <CLI/CLI.hpp>

#include <edgewise/edgewise.cuh>
#include <edgewise/format/to_wsb.cuh>

#include "harness/device_array.cuh"
#include "harness/graph_timing.cuh"
#include "harness/host_graph.hpp"
#include "harness/program.hpp"

#if !defined(EDGEWISE_TILES_STORAGE)
#define EDGEWISE_TILES_STORAGE float16
#endif

namespace edgewise::bench {
namespace {

using storage = EDGEWISE_TILES_STORAGE;
using tile_mapping = std::conditional_t<std::is_same_v<storage, float>, tensor_core_tf32, tensor_core>;

struct query_operand;
struct key_operand;
struct value_operand;
struct weight_operand;
struct source_score;
struct destination_score;

constexpr char const* description =
    "Times weighted sums, attention of a graph transformer, also below an activation, and GAT over the edges of a\n"
    "graph, forward and all gradients: over csr and csc, whose results the others are compared with, by tensor_core\n"
    "over tiles, and by what automatic chooses over those. Prints also what it takes to build tiles on the device, "
    "and\n"
    "their bytes.";

/// ||a - b|| / ||b||.
template <class T>
double difference(device_buffer<T> const& a, device_buffer<T> const& b, cudaStream_t stream) {
  auto const x = download(a, 0, a.size(), stream);
  auto const y = download(b, 0, b.size(), stream);
  double error = 0, norm = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    double const expected = static_cast<double>(y[i]);
    error += std::pow(static_cast<double>(x[i]) - expected, 2);
    norm += std::pow(expected, 2);
  }
  return norm > 0 ? std::sqrt(error / norm) : std::sqrt(error);
}

/// Rows of heads x channels, numbers as float, of one run.
struct arrays {
  using T = storage;
  device_buffer<T> rows[3];        ///< of vertices: query, key, value
  device_buffer<float> weights;    ///< of edges
  device_buffer<float> scores[2];  ///< of vertices and heads
  device_buffer<T> adjoint;
  device_buffer<T> out;
  device_buffer<T> row_gradients[3];
  device_buffer<float> weight_gradient;
  device_buffer<float> score_gradients[2];
  int n;
  int num_edges;
  int heads;
  int channels;

  arrays(int vertices, int edges, int num_heads, int num_channels, cudaStream_t stream)
      : n(vertices), num_edges(edges), heads(num_heads), channels(num_channels) {
    auto const size = static_cast<std::size_t>(n) * static_cast<std::size_t>(heads * channels);
    std::uint64_t seed = 1;
    for (auto& x : rows) x = random_array<T>(size, seed++, stream);
    adjoint = random_array<T>(size, seed++, stream);
    weights = random_array<float>(static_cast<std::size_t>(num_edges), seed++, stream);
    auto const numbers = static_cast<std::size_t>(n) * static_cast<std::size_t>(heads);
    for (auto& x : scores) x = random_array<float>(numbers, seed++, stream);
    out = poisoned<T>(size, stream);
    for (auto& x : row_gradients) x = poisoned<T>(size, stream);
    weight_gradient = poisoned<float>(weights.size(), stream);
    for (auto& x : score_gradients) x = poisoned<float>(numbers, stream);
  }
  template <class S>
  static device_buffer<S> poisoned(std::size_t size, cudaStream_t stream) {
    auto buffer = make_array<S>(size, stream);
    poison(buffer, stream);
    return buffer;
  }
  template <class S>
  auto row_view(S* data) const {
    return wide(data, n, heads, channels);
  }
  template <class S>
  auto score_view(S* data) const {
    return per_head(data, n, heads);
  }
};

/// Milliseconds, and how far results are from those that were expected.
struct measured {
  double forward = 0;
  double backward = 0;
  double error = 0;
};

/// Times a program: `forward(stream)` and `backward(stream)`.
template <class Forward, class Backward>
measured time_passes(cudaStream_t stream, Forward forward, Backward backward) {
  measured result;
  result.forward = time_in_graph(stream, forward).median_ms;
  result.backward = time_in_graph(stream, backward).median_ms;
  return result;
}

struct weighted_sum {
  static constexpr char const* name = "weighted sum";
  template <class Graph, class Mapping>
  static measured time(Graph const& g, Mapping const& mapping, arrays& x, cudaStream_t stream) {
    cuda const exec{.stream = stream};
    auto const in = bindings(bind<value_operand>(x.row_view(static_cast<storage const*>(x.rows[2].data()))),
                             bind<weight_operand>(per_row(static_cast<float const*>(x.weights.data()), x.num_edges)));
    auto const plan = fuse(g, mapping, gather<sum>(edge<weight_operand> * src<value_operand>)).plan(exec, in);
    auto saved = plan.make_saved(exec);
    return time_passes(
        stream,
        [&](cudaStream_t s) { plan.forward({.stream = s}, in, edgewise::out(x.row_view(x.out.data())), saved); },
        [&](cudaStream_t s) {
          plan.backward({.stream = s}, in, saved, grad_out(x.row_view(static_cast<storage const*>(x.adjoint.data()))),
                        grad<value_operand>(x.row_view(x.row_gradients[2].data())));
        });
  }
  static double error(arrays const& x, arrays const& y, cudaStream_t stream) {
    return std::fmax(difference(x.out, y.out, stream), difference(x.row_gradients[2], y.row_gradients[2], stream));
  }
};

/// IsLayer: with an activation, below which the backward pass prepares the gradient that edges read.
template <bool IsLayer>
struct graph_transformer {
  static constexpr char const* name = IsLayer ? "relu(graph transformer)" : "graph transformer";
  template <class Graph, class Mapping>
  static measured time(Graph const& g, Mapping const& mapping, arrays& x, cudaStream_t stream) {
    cuda const exec{.stream = stream};
    auto const operand = [&](int i) { return x.row_view(static_cast<storage const*>(x.rows[i].data())); };
    auto const in =
        bindings(bind<query_operand>(operand(0)), bind<key_operand>(operand(1)), bind<value_operand>(operand(2)));
    float const scale = 1 / std::sqrt(static_cast<float>(x.channels));
    auto const attention = gather<sum>(softmax(dot(dst<query_operand>, src<key_operand>) * scale) * src<value_operand>);
    auto const program = [&] {
      if constexpr (IsLayer) {
        return relu(attention);
      } else {
        return attention;
      }
    }();
    auto const plan = fuse(g, mapping, program).plan(exec, in);
    auto saved = plan.make_saved(exec);
    auto const gradient = [&](int i) { return x.row_view(x.row_gradients[i].data()); };
    return time_passes(
        stream,
        [&](cudaStream_t s) { plan.forward({.stream = s}, in, edgewise::out(x.row_view(x.out.data())), saved); },
        [&](cudaStream_t s) {
          plan.backward({.stream = s}, in, saved, grad_out(x.row_view(static_cast<storage const*>(x.adjoint.data()))),
                        grad<query_operand>(gradient(0)), grad<key_operand>(gradient(1)),
                        grad<value_operand>(gradient(2)));
        });
  }
  static double error(arrays const& x, arrays const& y, cudaStream_t stream) {
    double error = difference(x.out, y.out, stream);
    for (int i = 0; i < 3; ++i) error = std::fmax(error, difference(x.row_gradients[i], y.row_gradients[i], stream));
    return error;
  }
};

struct gat {
  static constexpr char const* name = "GAT";
  template <class Graph, class Mapping>
  static measured time(Graph const& g, Mapping const& mapping, arrays& x, cudaStream_t stream) {
    cuda const exec{.stream = stream};
    auto const score = [&](int i) { return x.score_view(static_cast<float const*>(x.scores[i].data())); };
    auto const in = bindings(bind<source_score>(score(0)), bind<destination_score>(score(1)),
                             bind<value_operand>(x.row_view(static_cast<storage const*>(x.rows[2].data()))));
    auto const program =
        gather<sum>(softmax(leaky_relu(src<source_score> + dst<destination_score>, 0.2)) * src<value_operand>);
    auto const plan = fuse(g, mapping, program).plan(exec, in);
    auto saved = plan.make_saved(exec);
    return time_passes(
        stream,
        [&](cudaStream_t s) { plan.forward({.stream = s}, in, edgewise::out(x.row_view(x.out.data())), saved); },
        [&](cudaStream_t s) {
          plan.backward({.stream = s}, in, saved, grad_out(x.row_view(static_cast<storage const*>(x.adjoint.data()))),
                        grad<source_score>(x.score_view(x.score_gradients[0].data())),
                        grad<destination_score>(x.score_view(x.score_gradients[1].data())),
                        grad<value_operand>(x.row_view(x.row_gradients[2].data())));
        });
  }
  static double error(arrays const& x, arrays const& y, cudaStream_t stream) {
    double error =
        std::fmax(difference(x.out, y.out, stream), difference(x.row_gradients[2], y.row_gradients[2], stream));
    for (int i = 0; i < 2; ++i) {
      error = std::fmax(error, difference(x.score_gradients[i], y.score_gradients[i], stream));
    }
    return error;
  }
};

template <class Program, class Graph, class Tiles>
void compare(std::string const& name, Graph const& g, Tiles const& tiles, int heads, int channels,
             tile_mapping const& mapping, cudaStream_t stream) {
  int const n = static_cast<int>(g.first.num_rows);
  int const edges = static_cast<int>(g.first.num_edges);
  arrays expected(n, edges, heads, channels, stream);
  measured const rows = Program::time(g, automatic{}, expected, stream);
  arrays x(n, edges, heads, channels, stream);
  measured const found = Program::time(tiles, mapping, x, stream);
  double const error = Program::error(x, expected, stream);
  measured const chosen = Program::time(tiles, automatic{}, x, stream);
  std::printf("| %s | %s | %dx%d | %.3f | %.3f | %.2f | %.2f | %.3f | %.3f | %.2f | %.2f | %.1e |\n", name.c_str(),
              Program::name, heads, channels, rows.forward, found.forward, rows.forward / found.forward,
              rows.forward / chosen.forward, rows.backward, found.backward, rows.backward / found.backward,
              rows.backward / chosen.backward, error);
  std::fflush(stdout);
}

int run(int argc, char** argv) {
  std::vector<std::string> directories, names;
  CLI::App app(description);
  app.add_option("--graphs", directories, "folders, as of the other benchmarks")->required()->delimiter(',');
  app.add_option("--names", names, "graphs, as of the other benchmarks")->required()->delimiter(',');
  std::vector<int> widths{64, 128, 256}, head_channels{64, 128};
  int elements = 256;
  app.add_option("--widths", widths, "lanes of weighted sums")->delimiter(',');
  app.add_option("--head-channels", head_channels, "channels of a head, of the other programs")->delimiter(',');
  app.add_option("--elements", elements, "heads times channels of those");
  tile_mapping mapping;
  app.add_option("--max-tiles", mapping.max_tiles, "tiles of a window that is not cut; by default chosen");
  CLI11_PARSE(app, argc, argv);
  owned_stream const stream;
  std::printf(
      "| graph | program | shape | forward csr, ms | tiles | times | automatic, times | backward csr, ms | tiles | "
      "times | "
      "automatic, times | difference |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (std::string const& name : names) {
    host_graph const graph = read_graph(directories, name);
    auto const& rows = graph.by_destination;
    auto const& columns = graph.by_source;
    int const n = rows.num_rows();
    auto const num_edges = static_cast<std::int32_t>(rows.num_edges());
    auto const offsets = upload(rows.offsets, stream), source_offsets = upload(columns.offsets, stream);
    auto const neighbors = upload(rows.neighbors, stream), destinations = upload(columns.neighbors, stream);
    auto const ids = upload(columns.edge_ids, stream);
    edgewise::graph const g{csr_view<>{{offsets.data(), neighbors.data(), nullptr, n, n, num_edges}},
                            csc_view<>{{source_offsets.data(), destinations.data(), ids.data(), n, n, num_edges}}};
    cuda const exec{.stream = stream};
    auto const by_destination = to_wsb(exec, g.first);
    auto const by_source = to_wsb(exec, g.second);
    check_cuda(cudaStreamSynchronize(stream), "bench_tiles: build");
    auto const started = std::chrono::steady_clock::now();
    auto const again = to_wsb(exec, g.first);
    check_cuda(cudaStreamSynchronize(stream), "bench_tiles: build");
    std::chrono::duration<double, std::milli> const build = std::chrono::steady_clock::now() - started;
    edgewise::graph const tiles{by_destination, by_source};
    auto const view = by_destination.view();
    std::printf("%s: %d tiles, fill %.1f %%, built in %.2f ms, %.1f MB beside %.1f MB of rows\n", name.c_str(),
                static_cast<int>(view.num_tiles),
                100.0 * static_cast<double>(num_edges) / (256.0 * static_cast<double>(view.num_tiles)), build.count(),
                static_cast<double>(by_destination.tile_bytes()) / 1e6,
                static_cast<double>(by_destination.size_bytes() - by_destination.tile_bytes()) / 1e6);
    for (int const lanes : widths) compare<weighted_sum>(name, g, tiles, 1, lanes, mapping, stream);
    for (int const channels : head_channels) {
      int const heads = elements / channels;
      compare<graph_transformer<false>>(name, g, tiles, heads, channels, mapping, stream);
      compare<graph_transformer<true>>(name, g, tiles, heads, channels, mapping, stream);
      compare<gat>(name, g, tiles, heads, channels, mapping, stream);
    }
  }
  return 0;
}

}  // namespace
}  // namespace edgewise::bench

int main(int argc, char** argv) {
  return edgewise::bench::run_program("bench_tiles", argc, argv, edgewise::bench::run);
}
