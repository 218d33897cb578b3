// A maximum over neighbors on one graph: its arrays, and the float64 check of each pass.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/candidate.cuh"
#include "harness/device_graph.cuh"
#include "harness/spot_check.hpp"

namespace edgewise::bench {

/// Device arrays of out[v, :] = max over edges into v of feature[source, :] and of the gradient of `feature`, stored as
/// T; the device graph must outlive it.
template <class T>
class extremum_case {
public:
  extremum_case(device_graph const& graph, std::int32_t channels, cudaStream_t stream)
      : graph_(&graph),
        channels_(channels),
        stream_(stream),
        features_(random_array<T>(elements(graph.num_sources()), feature_seed, stream)),
        out_grad_(random_array<T>(elements(graph.num_destinations()), out_grad_seed, stream)),
        out(make_array<T>(out_grad_.size(), stream)),
        feature_grad(make_array<T>(features_.size(), stream)) {}

  device_graph const& graph() const { return *graph_; }
  std::int32_t channels() const { return channels_; }
  T const* features() const { return features_.data(); }  // [S, channels]
  T const* out_grad() const { return out_grad_.data(); }  // [V, channels]

  /// Poisons what the pass writes, runs `launch` once and compares sampled rows with float64; sources whose sample
  /// would take too long are left out. Synchronises.
  verdict check(bool backward, launch_function const& launch) {
    poison(backward ? feature_grad : out, stream_);
    launch(stream_);
    check_cuda(cudaGetLastError(), "check: launch");
    host_graph const& host = graph_->host();
    error_meter meter(element<T>::epsilon, element<T>::smallest_step);
    if (!backward) {
      for (std::int32_t v : sampled_rows(host.by_destination, num_sampled_rows)) check_row(v, meter);
      return {meter.passed(), meter.worst_error()};
    }
    double left = largest_cost;
    for (std::int32_t u : sampled_rows(host.by_source, num_sampled_rows)) {
      double const cost = source_cost(u);
      if (cost > left) continue;
      left -= cost;
      check_source(u, meter);
    }
    return {meter.passed(), meter.worst_error()};
  }

private:
  static constexpr std::uint64_t feature_seed = 1, out_grad_seed = 2;
  static constexpr int num_sampled_rows = 40;
  static constexpr double largest_cost = 1e8;

  std::size_t elements(std::int64_t rows) const { return static_cast<std::size_t>(rows * channels_); }
  double stored(std::uint64_t seed, std::int32_t row, std::int32_t channel) const {
    auto const index =
        static_cast<std::uint64_t>(row) * static_cast<std::uint64_t>(channels_) + static_cast<std::uint64_t>(channel);
    return element<T>::rounded(random_value(seed, index));
  }
  /// Position of the first edge that holds the largest element of a channel, -1 in an empty row.
  std::int32_t argument(std::int32_t row, std::int32_t channel) const {
    host_grouping const& rows = graph_->host().by_destination;
    std::int32_t best = -1;
    double largest = 0;
    for (std::int32_t k = rows.offsets[row]; k < rows.offsets[row + 1]; ++k) {
      double const x = stored(feature_seed, rows.neighbors[k], channel);
      if (best < 0 || x > largest) {
        best = k;
        largest = x;
      }
    }
    return best;
  }
  double source_cost(std::int32_t source) const {
    host_graph const& host = graph_->host();
    double cost = 0;
    for (std::int32_t k = host.by_source.offsets[source]; k < host.by_source.offsets[source + 1]; ++k) {
      std::int32_t const row = host.by_source.neighbors[k];
      cost += host.by_destination.offsets[row + 1] - host.by_destination.offsets[row];
    }
    return cost * channels_;
  }
  void check_row(std::int32_t row, error_meter& meter) {
    host_grouping const& rows = graph_->host().by_destination;
    auto const values = download(out, elements(row), static_cast<std::size_t>(channels_), stream_);
    for (std::int32_t channel = 0; channel < channels_; ++channel) {
      std::int32_t const k = argument(row, channel);
      double const expected = k < 0 ? 0 : stored(feature_seed, rows.neighbors[k], channel);
      double const found = values[static_cast<std::size_t>(channel)];
      meter.add(found == expected ? 0 : found, 0, 0, 1);  // a selection is exact: any difference fails
    }
  }
  void check_source(std::int32_t source, error_meter& meter) {
    host_grouping const& sources = graph_->host().by_source;
    auto const values = download(feature_grad, elements(source), static_cast<std::size_t>(channels_), stream_);
    for (std::int32_t channel = 0; channel < channels_; ++channel) {
      double sum = 0, magnitudes = 0, terms = 0;
      for (std::int32_t k = sources.offsets[source]; k < sources.offsets[source + 1]; ++k) {
        std::int32_t const row = sources.neighbors[k];
        if (argument(row, channel) != sources.edge_id(k)) continue;
        double const g = stored(out_grad_seed, row, channel);
        sum += g;
        magnitudes += std::abs(g);
        terms += 1;
      }
      meter.add(values[static_cast<std::size_t>(channel)], sum, magnitudes, std::max(1.0, terms));
    }
  }

  device_graph const* graph_;
  std::int32_t channels_;
  cudaStream_t stream_;
  device_buffer<T> features_;
  device_buffer<T> out_grad_;

public:                           // what the passes write
  device_buffer<T> out;           // [V, channels]
  device_buffer<T> feature_grad;  // [S, channels]
};

}  // namespace edgewise::bench
