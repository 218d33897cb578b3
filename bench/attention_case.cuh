// One attention program on one graph: its arrays, and the float64 check of each pass.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "attention_reference.hpp"
#include "harness/candidate.cuh"
#include "harness/device_graph.cuh"

namespace edgewise::bench {

/// Device arrays stored as T, by role; the device graph must outlive it.
template <class T>
class attention_case {
public:
  attention_case(device_graph const& graph, attention_shape shape, cudaStream_t stream)
      : graph_(&graph),
        shape_(shape),
        stream_(stream),
        destination_(
            random_array<T>(rows(graph.num_destinations(), shape.score_width()), attention_seeds::destination, stream)),
        key_(random_array<T>(rows(graph.num_sources(), shape.score_width()), attention_seeds::key, stream)),
        value_(random_array<T>(value_size(), attention_seeds::value, stream)),
        parameter_(random_array<T>(parameter_size(), attention_seeds::parameter, stream)),
        feature_(random_array<T>(feature_size(), attention_seeds::feature, stream)),
        out_grad_(random_array<T>(rows(graph.num_destinations(), shape.width()), attention_seeds::out_grad, stream)),
        out(make_array<T>(out_grad_.size(), stream)),
        destination_grad(make_array<T>(destination_.size(), stream)),
        key_grad(make_array<T>(key_.size(), stream)),
        value_grad(make_array<T>(value_.size(), stream)),
        parameter_grad(make_array<T>(parameter_.size(), stream)),
        feature_grad(make_array<T>(feature_.size(), stream)) {}

  device_graph const& graph() const { return *graph_; }
  attention_shape shape() const { return shape_; }
  T const* destination() const { return destination_.data(); }  // [V, H, D]; gat: [V, H]
  T const* key() const { return key_.data(); }                  // [S, H, D]; gat: [S, H]
  T const* value() const { return value_.data(); }              // [S, H, D]; gatv2: none
  T const* parameter() const { return parameter_.data(); }      // gatv2: [1, H, D]
  T const* feature() const { return feature_.data(); }          // edge_transformer: [E, H, D]
  T const* out_grad() const { return out_grad_.data(); }        // [V, H, D]

  /// Poisons what the pass writes, runs `launch` once and compares sampled rows with float64. Sources whose sample
  /// would take too long, and parameters of large graphs, are left out. `row_per_group`: sums run over rows of any
  /// length one edge after the other, whose roundings add up where terms have one sign. Synchronises.
  verdict check(bool backward, launch_function const& launch, bool row_per_group = false) {
    for (auto* array : {&out, &destination_grad, &key_grad, &value_grad, &parameter_grad, &feature_grad}) {
      bool const is_written = backward == (array != &out);
      if (is_written) poison(*array, stream_);
    }
    whole_rows_ = row_per_group;
    launch(stream_);
    check_cuda(cudaGetLastError(), "check: launch");
    host_graph const& host = graph_->host();
    attention_reference reference(host, shape_, element<T>::rounded);
    error_meter meter(element<T>::epsilon, element<T>::smallest_step);
    for (std::int32_t v : sampled_rows(host.by_destination, num_sampled_rows)) {
      if (!backward) {
        compare(reference.out(v), out, v, meter);
      } else {
        compare(reference.destination_grad(v), destination_grad, v, meter);
        auto const& offsets = host.by_destination.offsets;
        for (std::int32_t k = offsets[v]; k < offsets[v + 1] && k < offsets[v] + 2 && shape_.has_feature(); ++k) {
          compare(reference.feature_grad(v, k), feature_grad, host.by_destination.edge_id(k), meter);
        }
      }
    }
    if (!backward) return {meter.passed(), meter.worst_error()};
    double left = largest_cost;
    for (std::int32_t u : sampled_rows(host.by_source, num_sampled_rows)) {
      double const cost = reference.source_cost(u);
      if (cost > left) continue;
      left -= cost;
      compare(reference.key_grad(u), key_grad, u, meter);
      if (shape_.has_value()) compare(reference.value_grad(u), value_grad, u, meter);
    }
    if (shape_.form == attention_form::gatv2 && graph_->num_edges() * shape_.width() < largest_cost) {
      compare(reference.parameter_grad(), parameter_grad, 0, meter);
    }
    return {meter.passed(), meter.worst_error()};
  }

private:
  static constexpr int num_sampled_rows = 20;
  static constexpr double largest_cost = 3e7;

  static std::size_t rows(std::int64_t count, std::int64_t width) { return static_cast<std::size_t>(count * width); }
  std::size_t value_size() const { return shape_.has_value() ? rows(graph_->num_sources(), shape_.width()) : 0; }
  std::size_t parameter_size() const {
    return shape_.form == attention_form::gatv2 ? static_cast<std::size_t>(shape_.width()) : 0;
  }

  std::size_t feature_size() const { return shape_.has_feature() ? rows(graph_->num_edges(), shape_.width()) : 0; }

  void compare(attention_reference::row const& expected, device_buffer<T> const& actual, std::int64_t row,
               error_meter& meter) const {
    std::size_t const width = expected.values.size();
    auto const values = download(actual, static_cast<std::size_t>(row) * width, width, stream_);
    // Softmax weights carry the rounding of scores and of the exponential, about 2^-22 of themselves: four times the
    // plain sum's limit.
    for (std::size_t i = 0; i < width; ++i) {
      double const terms = std::max(1.0, expected.terms);
      double const growth = whole_rows_ ? std::max(1.0, std::sqrt(terms) / 64) : 1;
      meter.add(values[i], expected.values[i], 4 * growth * expected.magnitudes[i], terms);
    }
  }

  device_graph const* graph_;
  attention_shape shape_;
  cudaStream_t stream_;
  bool whole_rows_ = false;
  device_buffer<T> destination_;
  device_buffer<T> key_;
  device_buffer<T> value_;
  device_buffer<T> parameter_;
  device_buffer<T> feature_;
  device_buffer<T> out_grad_;

public:  // what the passes write; shapes of what they are the gradients of
  device_buffer<T> out;
  device_buffer<T> destination_grad;
  device_buffer<T> key_grad;
  device_buffer<T> value_grad;
  device_buffer<T> parameter_grad;
  device_buffer<T> feature_grad;
};

}  // namespace edgewise::bench
