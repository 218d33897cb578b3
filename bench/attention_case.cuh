// One attention program on one graph: its arrays, and the float64 check of each pass.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "attention_check.hpp"
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
    launch(stream_);
    check_cuda(cudaGetLastError(), "check: launch");
    attention_reference reference(graph_->host(), shape_, element<T>::rounded);
    error_meter meter(element<T>::epsilon, element<T>::smallest_step);
    check_attention(reference, backward, row_per_group, meter,
                    [&](attention_array of, std::int64_t row, std::size_t width) {
                      return download(written(of), static_cast<std::size_t>(row) * width, width, stream_);
                    });
    return {meter.passed(), meter.worst_error()};
  }

private:
  static std::size_t rows(std::int64_t count, std::int64_t width) { return static_cast<std::size_t>(count * width); }
  std::size_t value_size() const { return shape_.has_value() ? rows(graph_->num_sources(), shape_.width()) : 0; }
  std::size_t parameter_size() const {
    return shape_.form == attention_form::gatv2 ? static_cast<std::size_t>(shape_.width()) : 0;
  }

  std::size_t feature_size() const { return shape_.has_feature() ? rows(graph_->num_edges(), shape_.width()) : 0; }

  device_buffer<T> const& written(attention_array of) const {
    switch (of) {
      case attention_array::out:
        return out;
      case attention_array::destination_grad:
        return destination_grad;
      case attention_array::key_grad:
        return key_grad;
      case attention_array::value_grad:
        return value_grad;
      case attention_array::parameter_grad:
        return parameter_grad;
      case attention_array::feature_grad:
        break;
    }
    return feature_grad;
  }

  device_graph const* graph_;
  attention_shape shape_;
  cudaStream_t stream_;
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
