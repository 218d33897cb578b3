// Mini-batches: neighbors are sampled, every batch is a bipartite graph of its own, and one plan serves them all.
#include <cstdint>
#include <iostream>
#include <span>
#include <unordered_map>
#include <vector>

#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

namespace {

struct h;  // features
struct W;  // matrix
struct b;  // bias

/// Numbers below `end`, the same everywhere.
struct draw {
  std::uint32_t state = 1;
  int operator()(int end) {
    state = state * 1664525u + 1013904223u;
    return static_cast<int>((std::uint64_t{state} * static_cast<std::uint64_t>(end)) >> 32);
  }
};

// [begin sampler]
/// The edges of a batch: rows are its vertices, neighbors are positions in `inputs`, the vertices that they read.
struct block {
  std::vector<int> offsets{0}, neighbors, inputs;
};
/// At most `fanout` incoming edges of each vertex of a batch, drawn with replacement.
block sample_neighbors(ew::csr<> const& edges, std::span<int const> batch, int fanout, draw& next) {
  block made;
  std::unordered_map<int, int> position;
  for (int const v : batch) {
    int const first = edges.offsets()[static_cast<std::size_t>(v)];
    int const degree = edges.offsets()[static_cast<std::size_t>(v) + 1] - first;
    for (int k = 0; k < fanout && degree > 0; ++k) {
      int const u = edges.neighbors()[static_cast<std::size_t>(first + next(degree))];
      auto const found = position.try_emplace(u, static_cast<int>(made.inputs.size()));
      if (found.second) made.inputs.push_back(u);
      made.neighbors.push_back(found.first->second);
    }
    made.offsets.push_back(static_cast<int>(made.neighbors.size()));
  }
  return made;
}
// [end sampler]

}  // namespace

int main() {
  constexpr int vertices = 1000, channels = 4, classes = 3, batch_size = 64, fanout = 5;
  draw next;
  std::vector<int> sources, destinations;
  for (int e = 0; e < 8 * vertices; ++e) {
    sources.push_back(next(vertices));
    destinations.push_back(next(vertices));
  }
  auto const edges = ew::to_csr(ew::cpu{}, ew::make_coo(ew::vertices(vertices), sources, destinations));
  std::vector<float> features(vertices * channels), matrix(channels * classes), bias(classes);
  for (float& x : features) x = static_cast<float>(next(8));
  for (float& x : matrix) x = static_cast<float>(next(3) - 1);

  // [begin plan]
  auto const program = ew::linear<W>(ew::gather<ew::mean>(ew::src<h>)) + ew::param<b>;
  ew::graph_capacity const most{
      .sources = batch_size * fanout, .destinations = batch_size, .edges = batch_size * fanout};
  std::vector<float> rows(static_cast<std::size_t>(most.sources) * channels), out(batch_size * classes);
  auto const bound = [&](std::int64_t inputs) {
    return ew::bindings(ew::bind<h>(ew::wide(rows.data(), inputs, channels)),
                        ew::bind<W>(ew::wide(matrix.data(), channels, classes)),
                        ew::bind<b>(ew::wide(bias.data(), 1, classes)));
  };
  auto plan = ew::fuse(ew::graph{ew::csr_view<>{}, ew::csc_view<>{}}, ew::automatic{}, program)
                  .plan_for_capacity(ew::cpu{}, bound(most.sources), most);
  auto saved = plan.make_saved(ew::cpu{});
  // [end plan]

  std::vector<float> dout(out.size(), 1), drows(rows.size()), dmatrix(matrix.size()), dbias(classes);
  for (int first = 0; first < 4 * batch_size; first += batch_size) {
    std::vector<int> batch;
    for (int k = 0; k < batch_size; ++k) batch.push_back(first + k);
    // [begin step]
    block const sampled = sample_neighbors(edges, batch, fanout, next);
    auto const inputs = static_cast<std::int64_t>(sampled.inputs.size());
    for (std::size_t k = 0; k < sampled.inputs.size() * channels; ++k) {
      rows[k] = features[static_cast<std::size_t>(sampled.inputs[k / channels]) * channels + k % channels];
    }
    auto const csr = ew::view_csr({.sources = inputs, .destinations = batch_size}, sampled.offsets, sampled.neighbors);
    auto const csc = ew::to_csc(ew::cpu{}, csr);
    plan.rebuild(ew::cpu{}, ew::graph{csr, csc.view()});
    plan.forward(ew::cpu{}, bound(inputs), ew::out(ew::wide(out.data(), batch_size, classes)), saved);
    plan.backward(ew::cpu{}, bound(inputs), saved, ew::grad_out(ew::wide(dout.data(), batch_size, classes)),
                  ew::grad<h>(ew::wide(drows.data(), inputs, channels)),
                  ew::grad<W>(ew::wide(dmatrix.data(), channels, classes)),
                  ew::grad<b>(ew::wide(dbias.data(), 1, classes)));
    // [end step]
    double total = 0, slope = 0, features_slope = 0;
    for (float const x : out) total += x;
    for (std::int64_t k = 0; k < inputs * channels; ++k) features_slope += drows[static_cast<std::size_t>(k)];
    for (float const x : dmatrix) slope += x;
    std::cout << "batch of " << batch_size << ": " << inputs << " inputs, " << sampled.neighbors.size()
              << " edges, outputs sum to " << static_cast<int>(total + (total < 0 ? -0.5 : 0.5))
              << ", gradients of features to " << static_cast<int>(features_slope + (features_slope < 0 ? -0.5 : 0.5))
              << ", of the matrix to " << static_cast<int>(slope + 0.5) << ", of the bias to "
              << dbias[0] + dbias[1] + dbias[2] << "\n";
  }
}
