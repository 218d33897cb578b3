// bench_tiles_by_hand: the graph transformer over tiles by kernels written by hand, beside the library over tiles and
// over csr and csc.
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include <edgewise/edgewise.cuh>
#include <edgewise/format/to_wsb.cuh>

#include "../harness/graph_timing.cuh"
#include "../harness/host_graph.hpp"
#include "../harness/program.hpp"
#include "tiles_by_hand.cuh"

namespace edgewise::bench {
namespace {

struct query_operand;
struct key_operand;
struct value_operand;

constexpr char const* description =
    "Times softmax(Q K^T / sqrt(channels)) V over the edges of a graph and all its gradients, in float16: 4 heads of "
    "64\n"
    "channels and, forward alone, 2 of 128. By kernels written by hand on tensor cores over tiles of 16 x 32 and of\n"
    "16 x 16, and by the library over csr and csc, and over the same tiles. Results are compared with those over csr "
    "and csc.";

/// Tiles of 16 columns, or pairs of them, in device memory.
template <int Columns>
struct device_tiles {
  device_buffer<int> window_tiles;
  device_buffer<int> columns;
  device_buffer<std::uint32_t> masks;
  int num_rows;

  template <class Rows>
  device_tiles(wsb_view<Rows> const& g, cudaStream_t stream) : num_rows(g.num_rows) {
    constexpr int joined = Columns / wsb_tile_columns;
    std::vector<int> windows{0}, all_columns;
    std::vector<std::uint32_t> all_masks;
    for (int w = 0; w < g.num_windows(); ++w) {
      int const end = g.window_tiles[w + 1];
      for (int t = g.window_tiles[w]; t < end; t += joined) {
        for (int c = 0; c < Columns; ++c) {
          int const slot = t * wsb_tile_columns + c;
          all_columns.push_back(g.columns[slot < end * wsb_tile_columns ? slot : end * wsb_tile_columns - 1]);
        }
        for (int r = 0; r < wsb_window_rows; ++r) {
          std::uint32_t mask = g.masks[t * wsb_window_rows + r];
          if (joined == 2 && t + 1 < end) mask |= std::uint32_t{g.masks[(t + 1) * wsb_window_rows + r]} << 16;
          all_masks.push_back(mask);
        }
      }
      windows.push_back(static_cast<int>(all_columns.size() / Columns));
    }
    window_tiles = upload(windows, stream);
    columns = upload(all_columns, stream);
    masks = upload(all_masks, stream);
  }
  by_hand::wide_tiles<Columns> view() const {
    return {static_cast<int>(window_tiles.size()) - 1, num_rows, window_tiles.data(), columns.data(), masks.data()};
  }
};

/// Operands, outputs and gradients of a graph transformer.
struct arrays {
  device_buffer<float16> query, key, value, adjoint, out, query_gradient, key_gradient, value_gradient;
  device_buffer<float> log_sums;
  device_buffer<float2> pairs;

  arrays(int rows, int heads, int channels, cudaStream_t stream) {
    auto const size = static_cast<std::size_t>(rows) * static_cast<std::size_t>(heads * channels);
    std::uint64_t seed = 1;
    for (auto* x : {&query, &key, &value, &adjoint}) *x = random_array<float16>(size, seed++, stream);
    for (auto* x : {&out, &query_gradient, &key_gradient, &value_gradient}) {
      *x = make_array<float16>(size, stream);
      poison(*x, stream);
    }
    log_sums = make_array<float>(static_cast<std::size_t>(rows) * static_cast<std::size_t>(heads), stream);
    pairs = make_array<float2>(log_sums.size(), stream);
  }
};

inline __half* halves(device_buffer<float16>& x) { return reinterpret_cast<__half*>(x.data()); }

/// ||a - b|| / ||b||.
double difference(device_buffer<float16> const& a, device_buffer<float16> const& b, cudaStream_t stream) {
  auto const x = download(a, 0, a.size(), stream);
  auto const y = download(b, 0, b.size(), stream);
  double error = 0, norm = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    error += std::pow(double{x[i]} - double{y[i]}, 2);
    norm += std::pow(double{y[i]}, 2);
  }
  return std::sqrt(error / norm);
}

template <int Channels, int Columns>
struct hand_written {
  static constexpr int stages = 2;
  static constexpr int shared_bytes = by_hand::warps * stages * by_hand::stage<Channels, Columns>::bytes;
  device_tiles<Columns> by_destination, by_source;
  int heads;

  template <class Kernel>
  static Kernel prepared(Kernel kernel) {
    check_cuda(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes),
               "tiles_by_hand: shared memory");
    return kernel;
  }
  unsigned blocks(by_hand::wide_tiles<Columns> const& g) const {
    return static_cast<unsigned>((g.num_windows * heads + by_hand::warps - 1) / by_hand::warps);
  }
  by_hand::tables tables_of(arrays& x) const {
    return {halves(x.query),
            halves(x.key),
            halves(x.value),
            halves(x.adjoint),
            x.pairs.data(),
            heads,
            1 / std::sqrt(static_cast<float>(Channels))};
  }
  auto forward(arrays& x) const {
    constexpr int min_blocks = Channels == 64 ? 4 : Columns == 32 ? 2 : 3;
    auto const kernel = prepared(by_hand::forward<Channels, Columns, stages, min_blocks>);
    return [this, &x, kernel](cudaStream_t s) {
      auto const g = by_destination.view();
      kernel<<<blocks(g), by_hand::block_threads, shared_bytes, s>>>(g, tables_of(x), halves(x.out), x.log_sums.data());
    };
  }
  auto backward(arrays& x) const {
    auto const rows = prepared(by_hand::gradients_of_rows < Channels, Columns, stages, Columns == 32 ? 3 : 4 >);
    auto const columns = prepared(by_hand::gradients_of_columns<Channels, Columns, stages, 3>);
    return [this, &x, rows, columns](cudaStream_t s) {
      auto const size = static_cast<std::int64_t>(x.pairs.size());
      by_hand::make_pairs<Channels><<<static_cast<unsigned>((size * 8 + 255) / 256), 256, 0, s>>>(
          halves(x.out), halves(x.adjoint), x.log_sums.data(), size, x.pairs.data());
      auto const g = by_destination.view();
      rows<<<blocks(g), by_hand::block_threads, shared_bytes, s>>>(g, tables_of(x), halves(x.query_gradient));
      auto const h = by_source.view();
      columns<<<blocks(h), by_hand::block_threads, shared_bytes, s>>>(h, tables_of(x), halves(x.key_gradient),
                                                                      halves(x.value_gradient));
    };
  }
};

void print(std::string const& graph, char const* what, int heads, int channels, char const* pass, double ms,
           double error) {
  std::printf("| %s | %dx%d | %s | %s | %.3f | %.1e |\n", graph.c_str(), heads, channels, pass, what, ms, error);
  std::fflush(stdout);
}

/// The largest of the differences of all gradients.
double difference_of_gradients(arrays const& x, arrays const& expected, cudaStream_t stream) {
  double error = difference(x.query_gradient, expected.query_gradient, stream);
  error = std::fmax(error, difference(x.key_gradient, expected.key_gradient, stream));
  return std::fmax(error, difference(x.value_gradient, expected.value_gradient, stream));
}

template <int Channels, int Columns>
void time_by_hand(std::string const& name, wsb_view<csr_view<>> const& by_destination,
                  wsb_view<csc_view<>> const& by_source, int heads, arrays& x, arrays const& expected,
                  cudaStream_t stream) {
  hand_written<Channels, Columns> const hand{{by_destination, stream}, {by_source, stream}, heads};
  std::string const what = "tiles of 16 x " + std::to_string(Columns);
  auto forward = hand.forward(x);
  double const ms = time_in_graph(stream, forward).median_ms;
  print(name, what.c_str(), heads, Channels, "forward", ms, difference(x.out, expected.out, stream));
  if constexpr (Channels == 64) {
    auto backward = hand.backward(x);
    double const back = time_in_graph(stream, backward).median_ms;
    print(name, what.c_str(), heads, Channels, "backward", back, difference_of_gradients(x, expected, stream));
  }
}

/// The library over some graph. expected: null for what others are compared with.
template <int Channels, class Graph, class Mapping>
void time_library(std::string const& name, char const* what, Graph const& g, Mapping const& mapping, int heads,
                  arrays& x, arrays const* expected, cudaStream_t stream) {
  int const n = static_cast<int>(g.first.num_rows);
  auto const operand = [&](auto& a) { return wide(static_cast<float16 const*>(a.data()), n, heads, Channels); };
  auto const gradient = [&](auto& a) { return wide(a.data(), n, heads, Channels); };
  cuda const exec{.stream = stream};
  auto const in = bindings(bind<query_operand>(operand(x.query)), bind<key_operand>(operand(x.key)),
                           bind<value_operand>(operand(x.value)));
  float const scale = 1 / std::sqrt(static_cast<float>(Channels));
  auto const plan =
      fuse(g, mapping, gather<sum>(softmax(dot(dst<query_operand>, src<key_operand>) * scale) * src<value_operand>))
          .plan(exec, in);
  auto saved = plan.make_saved(exec);
  auto forward = [&](cudaStream_t s) { plan.forward({.stream = s}, in, edgewise::out(gradient(x.out)), saved); };
  double const ms = time_in_graph(stream, forward).median_ms;
  print(name, what, heads, Channels, "forward", ms, expected ? difference(x.out, expected->out, stream) : 0);
  auto backward = [&](cudaStream_t s) {
    plan.backward({.stream = s}, in, saved, grad_out(operand(x.adjoint)),
                  grad<query_operand>(gradient(x.query_gradient)), grad<key_operand>(gradient(x.key_gradient)),
                  grad<value_operand>(gradient(x.value_gradient)));
  };
  double const back = time_in_graph(stream, backward).median_ms;
  print(name, what, heads, Channels, "backward", back, expected ? difference_of_gradients(x, *expected, stream) : 0);
}

template <int Channels>
void measure(host_graph const& graph, int heads, cudaStream_t stream) {
  auto const& rows = graph.by_destination;
  auto const& columns = graph.by_source;
  int const n = rows.num_rows();
  auto const num_edges = static_cast<std::int32_t>(rows.num_edges());
  csr_view<> const csr{{rows.offsets.data(), rows.neighbors.data(), nullptr, n, n, num_edges}};
  csc_view<> const csc{{columns.offsets.data(), columns.neighbors.data(), columns.edge_ids.data(), n, n, num_edges}};
  auto const offsets = upload(rows.offsets, stream), source_offsets = upload(columns.offsets, stream);
  auto const neighbors = upload(rows.neighbors, stream), destinations = upload(columns.neighbors, stream);
  auto const ids = upload(columns.edge_ids, stream);
  edgewise::graph const g{csr_view<>{{offsets.data(), neighbors.data(), nullptr, n, n, num_edges}},
                          csc_view<>{{source_offsets.data(), destinations.data(), ids.data(), n, n, num_edges}}};

  arrays expected(n, heads, Channels, stream);
  time_library<Channels>(graph.name, "csr", g, automatic{}, heads, expected, nullptr, stream);
  arrays x(n, heads, Channels, stream);
  cuda const exec{.stream = stream};
  auto const device_rows = to_wsb(exec, g.first);
  auto const device_columns = to_wsb(exec, g.second);
  edgewise::graph const tiles{device_rows, device_columns};
  time_library<Channels>(graph.name, "tensor_core", tiles, tensor_core{}, heads, x, &expected, stream);
  for (auto* gone : {&x.out, &x.query_gradient, &x.key_gradient, &x.value_gradient}) poison(*gone, stream);
  auto const by_destination = to_wsb(cpu{}, csr);
  auto const by_source = to_wsb(cpu{}, csc);
  time_by_hand<Channels, 32>(graph.name, by_destination.view(), by_source.view(), heads, x, expected, stream);
  time_by_hand<Channels, 16>(graph.name, by_destination.view(), by_source.view(), heads, x, expected, stream);
}

int run(int argc, char** argv) {
  std::vector<std::string> directories, names;
  CLI::App app(description);
  app.add_option("--graphs", directories, "folders, as of the other benchmarks")->required()->delimiter(',');
  app.add_option("--names", names, "graphs, as of the other benchmarks")->required()->delimiter(',');
  CLI11_PARSE(app, argc, argv);
  owned_stream const stream;
  std::printf("| graph | shape | pass | by | ms | from csr's |\n|---|---|---|---|---|---|\n");
  for (std::string const& name : names) {
    host_graph const graph = read_graph(directories, name);
    measure<64>(graph, 4, stream);
    measure<128>(graph, 2, stream);
  }
  return 0;
}

}  // namespace
}  // namespace edgewise::bench

int main(int argc, char** argv) {
  return edgewise::bench::run_program("bench_tiles_by_hand", argc, argv, edgewise::bench::run);
}
