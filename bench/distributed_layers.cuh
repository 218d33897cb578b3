// The layers of bench_distributed: their arrays, over a whole graph or over a rank's part of it, and one step of each.
#pragma once

#include <edgewise/distributed.cuh>

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "distributed.hpp"
#include "harness/candidate.cuh"
#include "harness/device_array.cuh"
#include "harness/options.hpp"
#include "weighted_sum_program.hpp"

namespace edgewise::bench {

/// Which rows of the whole graph a layer's arrays have: `count` rows, row i that of number ids[i], or of i where there
/// are no ids. Shapes: ids [count], in device memory.
struct numbered_rows {
  std::int64_t count = 0;
  std::int64_t const* ids = nullptr;
};
struct layer_rows {
  numbered_rows sources, destinations, edges;
};

namespace detail {

__global__ void fill_rows_kernel(float* to, numbered_rows rows, std::int64_t row_size, std::uint64_t seed,
                                 float steps) {
  std::int64_t const step = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < rows.count * row_size; i += step) {
    std::int64_t const row = i / row_size, id = rows.ids ? rows.ids[row] : row;
    float const x = random_value(seed, static_cast<std::uint64_t>(id * row_size + i % row_size));
    to[i] = steps > 0 ? floorf(x * steps) / steps : x;
  }
}

}  // namespace detail

/// Arrays of rows of a layer, from one resource. A part's have the values of the whole graph's.
class layer_arrays {
public:
  layer_arrays(cudaStream_t stream, memory_resource* memory) : stream_(stream), memory_(memory) {}

  device_buffer<float> empty(numbered_rows const& rows, std::int64_t row_size) const {
    return make_array<float>(static_cast<std::size_t>(rows.count * row_size), stream_, memory_);
  }
  /// Element k of row i is random_value(seed, ids[i] * row_size + k), cut to a multiple of 1 / steps where there are
  /// steps.
  device_buffer<float> random(numbered_rows const& rows, std::int64_t row_size, std::uint64_t seed,
                              float steps = 0) const {
    auto array = empty(rows, row_size);
    if (!array.empty()) {
      detail::fill_rows_kernel<<<2048, 256, 0, stream_>>>(array.data(), rows, row_size, seed, steps);
      check_cuda(cudaGetLastError(), "layer_arrays: launch");
    }
    return array;
  }

private:
  cudaStream_t stream_;
  memory_resource* memory_;
};

/// An array that a step writes.
struct written_array {
  char const* name;
  device_buffer<float>* values;
  std::int64_t row_size;
  bool is_of_sources;
};

/// out[v] = sum over edges into v of weight[e] * feature[source], and the gradient of the features.
class gcn_layer {
public:
  static constexpr char const* name = "gcn";
  static constexpr auto program = weighted_sum_program;
  static constexpr weighted_sum_seeds seeds{1, 2, 3};
  static row_shape shape(int, int channels) { return {1, channels}; }
  /// Elements of the rows that ranks exchange, by operand.
  static std::vector<std::int64_t> source_row_sizes(row_shape shape) { return {shape.channels}; }
  /// What a step writes at these vertices, by double precision on the host.
  static std::optional<std::vector<sampled_values>> reference(host_graph const& graph, sampled_vertices const& at,
                                                              row_shape shape) {
    return weighted_sum_at(graph, at, shape.channels, seeds);
  }

  gcn_layer(layer_rows const& rows, row_shape shape, layer_arrays const& arrays)
      : rows_(rows),
        channels_(shape.channels),
        weights_(arrays.random(rows.edges, 1, seeds.weights)),
        features_(arrays.random(rows.sources, channels_, seeds.features)),
        out_grad_(arrays.random(rows.destinations, channels_, seeds.out_grad)),
        out_(arrays.empty(rows.destinations, channels_)),
        feature_grad_(arrays.empty(rows.sources, channels_)) {}

  auto inputs() const {
    return bindings(bind<weight>(per_row(weights_.data(), rows_.edges.count)),
                    bind<feature>(wide(features_.data(), rows_.sources.count, channels_)));
  }
  template <class Plan, class Saved>
  void step(Plan const& plan, cuda const& exec, Saved& saved) {
    auto const in = inputs();
    plan.forward(exec, in, edgewise::out(wide(out_.data(), rows_.destinations.count, channels_)), saved);
    plan.backward(exec, in, saved, grad_out(wide(out_grad_.data(), rows_.destinations.count, channels_)),
                  grad<feature>(wide(feature_grad_.data(), rows_.sources.count, channels_)));
  }
  std::vector<written_array> written() {
    return {{"out", &out_, channels_, false}, {"feature", &feature_grad_, channels_, true}};
  }

private:
  layer_rows rows_;
  int channels_;
  device_buffer<float> weights_, features_, out_grad_, out_, feature_grad_;
};

struct source_score;
struct destination_score;

/// out[v] = sum over edges into v of softmax(leaky_relu(source_score + destination_score)) * feature[source], and the
/// gradients of all three. Scores are multiples of 1/64, which bfloat16 holds: on which side of the kink of leaky_relu
/// an edge lies does not depend on what rows travel as.
class gat_layer {
  std::int64_t width() const { return std::int64_t{shape_.heads} * shape_.channels; }
  auto scores(auto* x, numbered_rows const& rows) const { return per_head(x, rows.count, shape_.heads); }
  auto features(auto* x, numbered_rows const& rows) const { return wide(x, rows.count, shape_.heads, shape_.channels); }

public:
  static constexpr char const* name = "gat";
  static constexpr auto program =
      gather<sum>(softmax(leaky_relu(src<source_score> + dst<destination_score>, 0.2)) * src<feature>);
  static row_shape shape(int heads, int channels) { return {heads, channels / heads}; }
  static std::vector<std::int64_t> source_row_sizes(row_shape shape) {
    return {shape.heads, std::int64_t{shape.heads} * shape.channels};
  }
  static std::optional<std::vector<sampled_values>> reference(host_graph const&, sampled_vertices const&, row_shape) {
    return {};
  }

  gat_layer(layer_rows const& rows, row_shape shape, layer_arrays const& arrays)
      : rows_(rows),
        shape_(shape),
        source_scores_(arrays.random(rows.sources, shape.heads, 1, 64)),
        destination_scores_(arrays.random(rows.destinations, shape.heads, 2, 64)),
        features_(arrays.random(rows.sources, width(), 3)),
        out_grad_(arrays.random(rows.destinations, width(), 4)),
        out_(arrays.empty(rows.destinations, width())),
        source_score_grad_(arrays.empty(rows.sources, shape.heads)),
        destination_score_grad_(arrays.empty(rows.destinations, shape.heads)),
        feature_grad_(arrays.empty(rows.sources, width())) {}

  auto inputs() const {
    return bindings(bind<source_score>(scores(source_scores_.data(), rows_.sources)),
                    bind<destination_score>(scores(destination_scores_.data(), rows_.destinations)),
                    bind<feature>(features(features_.data(), rows_.sources)));
  }
  template <class Plan, class Saved>
  void step(Plan const& plan, cuda const& exec, Saved& saved) {
    auto const in = inputs();
    plan.forward(exec, in, edgewise::out(features(out_.data(), rows_.destinations)), saved);
    plan.backward(exec, in, saved, grad_out(features(out_grad_.data(), rows_.destinations)),
                  grad<source_score>(scores(source_score_grad_.data(), rows_.sources)),
                  grad<destination_score>(scores(destination_score_grad_.data(), rows_.destinations)),
                  grad<feature>(features(feature_grad_.data(), rows_.sources)));
  }
  std::vector<written_array> written() {
    return {{"out", &out_, width(), false},
            {"source_score", &source_score_grad_, shape_.heads, true},
            {"destination_score", &destination_score_grad_, shape_.heads, false},
            {"feature", &feature_grad_, width(), true}};
  }

private:
  layer_rows rows_;
  row_shape shape_;
  device_buffer<float> source_scores_, destination_scores_, features_, out_grad_;
  device_buffer<float> out_, source_score_grad_, destination_score_grad_, feature_grad_;
};

/// A layer with its plan over a graph, of one process or distributed. `memory` counts what it takes; the graph must
/// outlive it.
template <class Layer, class Kernel>
class planned_layer {
  using plan_type =
      decltype(std::declval<Kernel const&>().plan(std::declval<cuda const&>(), std::declval<Layer const&>().inputs()));
  using saved_type = decltype(std::declval<plan_type const&>().make_saved(std::declval<cuda const&>()));

public:
  planned_layer(Kernel const& kernel, layer_rows const& rows, row_shape shape, cudaStream_t stream,
                memory_resource* memory = device_memory())
      : memory_(make_counted_memory(memory)),
        layer_(rows, shape, layer_arrays(stream, memory_.get())),
        plan_(kernel.plan(exec(stream), layer_.inputs())),
        saved_(plan_.make_saved(exec(stream))) {}

  void step(cuda const& on) { layer_.step(plan_, on, saved_); }
  plan_type const& plan() const { return plan_; }
  std::vector<written_array> written() { return layer_.written(); }
  std::size_t peak_bytes() const { return memory_->peak_bytes(); }

private:
  cuda exec(cudaStream_t stream) const { return {.stream = stream, .memory = memory_.get()}; }

  counted_memory memory_;
  Layer layer_;
  plan_type plan_;
  saved_type saved_;
};

}  // namespace edgewise::bench
