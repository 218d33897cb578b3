// The arrays of bench_programs on one graph, and the check of every element against the CPU engine in double.
#pragma once

#include <edgewise/edgewise.cuh>

#include <cmath>
#include <cstdint>
#include <vector>

#include "edge_lists.cuh"
#include "harness/candidate.cuh"
#include "harness/device_array.cuh"
#include "harness/device_graph.cuh"
#include "harness/random_value.hpp"
#include "programs.hpp"

namespace edgewise::bench {

/// The arrays of a graph's programs, and their outputs of up to four parts.
class program_case {
public:
  static constexpr int most_parts = 4;

  program_case(device_graph const& graph, cudaStream_t stream)
      : graph_(&graph),
        stream_(stream),
        edges_(graph, stream),
        features_(random_array<float>(source_elements(), 1, stream)),
        queries_(random_array<float>(destination_elements(), 2, stream)),
        weights_(random_array<float>(num_edges(), 3, stream)),
        factors_(random_array<float>(static_cast<std::size_t>(graph.num_sources()), 4, stream)),
        adjoint_(random_array<float>(destination_elements(), 5, stream)),
        numbers_(upload(std::vector<random_state>{state}, stream)),
        out(make_array<float>(most_parts * destination_elements(), stream)),
        feature_grad(make_array<float>(source_elements(), stream)),
        edge_values(make_array<float>(num_edges(), stream)) {}

  device_graph const& graph() const { return *graph_; }
  cudaStream_t stream() const { return stream_; }
  program_operands<float> operands() const {
    return {features_.data(),
            queries_.data(),
            weights_.data(),
            factors_.data(),
            numbers_.data(),
            graph_->num_sources(),
            graph_->num_destinations(),
            graph_->num_edges()};
  }
  edge_lists const& edges() const { return edges_; }
  /// Part `part` of the output's `parts`.
  auto part_of_out(int part, int parts) {
    return wide(out.data() + part * program_channels, graph_->num_destinations(), 1, program_channels,
                std::int64_t{parts} * program_channels);
  }
  auto out_view(int parts) { return wide(out.data(), graph_->num_destinations(), parts, program_channels); }
  auto adjoint_view() const { return wide(adjoint_.data(), graph_->num_destinations(), 1, program_channels); }
  auto feature_grad_view() { return wide(feature_grad.data(), graph_->num_sources(), 1, program_channels); }

  /// Runs `launch` once, whose result is the first `size` elements of `actual`, and compares all of them with what
  /// `f(operands, adjoint, expected)` gives in double. Synchronises.
  template <class F>
  verdict check(device_buffer<float>& actual, std::size_t size, launch_function const& launch, F const& f) {
    poison(actual, stream_);
    launch(stream_);
    check_cuda(cudaGetLastError(), "check: launch");
    std::vector<float> const values = download(actual, 0, size, stream_);
    auto const numbers = [](std::size_t count, std::uint64_t seed) {
      std::vector<double> result(count);
      for (std::size_t i = 0; i < count; ++i) result[i] = random_value(seed, i);
      return result;
    };
    auto const features = numbers(source_elements(), 1);
    auto const queries = numbers(destination_elements(), 2);
    auto const weights = numbers(num_edges(), 3);
    auto const factors = numbers(static_cast<std::size_t>(graph_->num_sources()), 4);
    auto const adjoint = numbers(destination_elements(), 5);
    std::vector<double> expected(size);
    f(program_operands<double>{features.data(), queries.data(), weights.data(), factors.data(), &state,
                               graph_->num_sources(), graph_->num_destinations(), graph_->num_edges()},
      adjoint.data(), expected.data());
    verdict result{true, 0};
    for (std::size_t i = 0; i < size; ++i) {
      double const error = std::abs(values[i] - expected[i]) / (1 + std::abs(expected[i]));
      if (!(error < 1e-3)) result.passed = false;  // NaN, too
      if (error > result.error) result.error = error;
    }
    return result;
  }

private:
  static constexpr random_state state{.seed = 1, .step = 0};

  std::size_t num_edges() const { return static_cast<std::size_t>(graph_->num_edges()); }
  std::size_t source_elements() const { return static_cast<std::size_t>(graph_->num_sources()) * program_channels; }
  std::size_t destination_elements() const {
    return static_cast<std::size_t>(graph_->num_destinations()) * program_channels;
  }

  device_graph const* graph_;
  cudaStream_t stream_;
  edge_lists edges_;
  device_buffer<float> features_, queries_, weights_, factors_, adjoint_;
  device_buffer<random_state> numbers_;

public:
  device_buffer<float> out;           // [V, 4, 64]
  device_buffer<float> feature_grad;  // [S, 64]
  device_buffer<float> edge_values;   // [E]
};

}  // namespace edgewise::bench
