// One weighted sum on one graph: its arrays, its passes, and the float64 check of each pass.
#pragma once

#include <algorithm>
#include <cstdint>

#include "harness/candidate.cuh"
#include "harness/device_graph.cuh"
#include "harness/operands.hpp"
#include "harness/spot_check.hpp"
#include "weighted_sum_program.hpp"

namespace edgewise::bench {

/// Device arrays of the operation stored as T, all passes; the device graph must outlive it.
template <class T>
class weighted_sum_case {
public:
  static constexpr std::uint64_t weight_seed = 1;  ///< weight[id] is random_value(weight_seed, id)

  /// row_multiple: rows of features, of the output and of their gradients begin at multiples of so many elements.
  weighted_sum_case(device_graph const& graph, std::int32_t channels, cudaStream_t stream,
                    std::int32_t row_multiple = 1)
      : graph_(&graph),
        channels_(channels),
        row_stride_((channels + row_multiple - 1) / row_multiple * row_multiple),
        stream_(stream),
        weights_(random_array<T>(edges(), weight_seed, stream)),
        weights_by_source_(random_array<T>(edges(), weight_seed, stream, graph.csc().edge_ids)),
        features_(random_array<T>(source_elements(), feature_seed, stream)),
        out_grad_(random_array<T>(destination_elements(), out_grad_seed, stream)),
        out_(make_array<T>(destination_elements(), stream)),
        feature_grad_(make_array<T>(source_elements(), stream)),
        weight_grad_(make_array<T>(edges(), stream)) {}

  device_graph const& graph() const { return *graph_; }
  std::int32_t channels() const { return channels_; }
  std::int32_t row_stride() const { return row_stride_; }  ///< elements from row to row

  T const* weights() const { return weights_.data(); }    // [E] by edge id
  T const* features() const { return features_.data(); }  // [S, channels], rows row_stride apart
  T const* out_grad() const { return out_grad_.data(); }  // [V, channels] likewise
  T* out() { return out_.data(); }                        // [V, channels] likewise
  T* feature_grad() { return feature_grad_.data(); }      // [S, channels] likewise
  T* weight_grad() { return weight_grad_.data(); }        // [E] by edge id

  /// The pass as a product by rows: forward by destination, the source gradient by source with its weights permuted
  /// beforehand. Not for `grad_edge`.
  weighted_sum_operands<T> product(pass p) {
    if (p == pass::forward)
      return {graph_->csr(), weights_.data(), features_.data(), out_.data(), channels_, row_stride_};
    return {graph_->csc(), weights_by_source_.data(), out_grad_.data(), feature_grad_.data(), channels_, row_stride_};
  }
  edge_dot_operands<T> edge_dot() {
    return {graph_->csr(), out_grad_.data(), features_.data(), weight_grad_.data(), channels_, row_stride_};
  }

  plan_cost cost(pass p) const {
    return weighted_sum_cost<T>(p, graph_->num_destinations(), graph_->num_sources(), graph_->num_edges(), channels_);
  }

  /// Poisons the output of the pass, runs `launch` once and compares sampled rows (or edges) with float64.
  /// Synchronises.
  verdict check(pass p, launch_function const& launch) {
    poison(p == pass::forward ? out_ : p == pass::grad_source ? feature_grad_ : weight_grad_, stream_);
    launch(stream_);
    check_cuda(cudaGetLastError(), "check: launch");
    host_graph const& host = graph_->host();
    error_meter meter(element<T>::epsilon, element<T>::smallest_step);
    if (p == pass::forward) {
      check_rows(host.by_destination, stored(weight_seed), stored_rows(feature_seed), out_, meter);
    } else if (p == pass::grad_source) {
      check_rows(host.by_source, stored(weight_seed), stored_rows(out_grad_seed), feature_grad_, meter);
    } else {
      check_edges(host.by_destination, meter);
    }
    return {meter.passed(), meter.worst_error()};
  }

private:
  static constexpr std::uint64_t feature_seed = 2, out_grad_seed = 3;
  static constexpr int num_sampled_rows = 60, num_edges_per_row = 50;

  std::size_t edges() const { return static_cast<std::size_t>(graph_->num_edges()); }
  std::size_t source_elements() const { return static_cast<std::size_t>(graph_->num_sources()) * row_stride_; }
  std::size_t destination_elements() const {
    return static_cast<std::size_t>(graph_->num_destinations()) * row_stride_;
  }

  // element i of the array of that seed, as the device holds it
  static auto stored(std::uint64_t seed) {
    return [seed](std::uint64_t i) -> double {
      return element<T>::to_float(element<T>::from_float(random_value(seed, i)));
    };
  }

  // element row * channels + channel of the array of that seed
  auto stored_rows(std::uint64_t seed) const {
    return [seed, channels = static_cast<std::uint64_t>(channels_), stride = static_cast<std::uint64_t>(row_stride_)](
               std::uint64_t i) { return stored(seed)(i / channels * stride + i % channels); };
  }

  template <class Weight, class Feature>
  void check_rows(host_grouping const& rows, Weight weight, Feature feature, device_buffer<T> const& actual,
                  error_meter& meter) {
    for (std::int32_t row : sampled_rows(rows, num_sampled_rows)) {
      auto const expected = weighted_sum_row(rows, row, channels_, weight, feature);
      auto const values = download(actual, static_cast<std::size_t>(row) * row_stride_, channels_, stream_);
      for (std::size_t channel = 0; channel < values.size(); ++channel) {
        meter.add(values[channel], expected.values[channel], expected.magnitudes[channel], expected.terms);
      }
    }
  }

  void check_edges(host_grouping const& rows, error_meter& meter) {
    for (std::int32_t row : sampled_rows(rows, num_sampled_rows)) {
      std::int32_t const begin = rows.offsets[row];
      std::int32_t const count = std::min(rows.offsets[row + 1] - begin, num_edges_per_row);
      if (count == 0) continue;
      auto const values = download(weight_grad_, begin, count, stream_);
      for (std::int32_t k = 0; k < count; ++k) {
        auto const expected = dot_product(row, rows.neighbors[begin + k], channels_, stored_rows(out_grad_seed),
                                          stored_rows(feature_seed));
        meter.add(values[k], expected.values[0], expected.magnitudes[0], expected.terms);
      }
    }
  }

  device_graph const* graph_;
  std::int32_t channels_;
  std::int32_t row_stride_;
  cudaStream_t stream_;
  device_buffer<T> weights_;
  device_buffer<T> weights_by_source_;
  device_buffer<T> features_;
  device_buffer<T> out_grad_;
  device_buffer<T> out_;
  device_buffer<T> feature_grad_;
  device_buffer<T> weight_grad_;
};

}  // namespace edgewise::bench
