// One attention program on one graph in host memory: its arrays, and the float64 check of each pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <edgewise/edgewise.hpp>

#include "attention_check.hpp"
#include "harness/host_graph.hpp"
#include "harness/host_views.hpp"
#include "harness/random_value.hpp"

namespace edgewise::bench {

/// A graph as the library sees it.
class host_views {
public:
  explicit host_views(host_graph const& graph) : graph_(&graph) {}

  host_graph const& host() const { return *graph_; }
  std::int32_t num_destinations() const { return graph_->by_destination.num_rows(); }
  std::int32_t num_sources() const { return graph_->by_source.num_rows(); }
  csr_view<> csr() const { return view_of<csr_view<>>(graph_->by_destination); }
  csc_view<> csc() const { return view_of<csc_view<>>(graph_->by_source); }

private:
  host_graph const* graph_;
};

/// Arrays of float by role, as those of `attention_case`, in huge pages where the system has them; the graph must
/// outlive it.
class host_attention {
public:
  host_attention(host_graph const& graph, attention_shape shape)
      : graph_(graph),
        shape_(shape),
        destination_(filled(graph_.num_destinations() * shape.score_width(), attention_seeds::destination)),
        key_(filled(graph_.num_sources() * shape.score_width(), attention_seeds::key)),
        value_(filled(shape.has_value() ? graph_.num_sources() * shape.width() : 0, attention_seeds::value)),
        parameter_(filled(shape.form == attention_form::gatv2 ? shape.width() : 0, attention_seeds::parameter)),
        out_grad_(filled(graph_.num_destinations() * shape.width(), attention_seeds::out_grad)),
        out(out_grad_.size(), host_memory()),
        destination_grad(destination_.size(), host_memory()),
        key_grad(key_.size(), host_memory()),
        value_grad(value_.size(), host_memory()),
        parameter_grad(parameter_.size(), host_memory()) {
    for (host_buffer<float>* array : {&out, &destination_grad, &key_grad, &value_grad, &parameter_grad}) {
      for (std::size_t i = 0; i < array->size(); ++i) (*array)[i] = 1e30f;
    }
  }

  host_views const& graph() const { return graph_; }
  attention_shape shape() const { return shape_; }
  float const* destination() const { return destination_.data(); }  // [V, H, D]; gat: [V, H]
  float const* key() const { return key_.data(); }                  // [S, H, D]; gat: [S, H]
  float const* value() const { return value_.data(); }              // [S, H, D]; gatv2: none
  float const* parameter() const { return parameter_.data(); }      // gatv2: [1, H, D]
  float const* out_grad() const { return out_grad_.data(); }        // [V, H, D]

  /// Compares what a pass wrote with float64. A thread sums a row one edge after the other.
  error_meter check(bool backward) const {
    attention_reference reference(graph_.host(), shape_);
    error_meter meter(0x1p-23);
    check_attention(reference, backward, true, meter, [&](attention_array of, std::int64_t row, std::size_t width) {
      float const* const first = written(of).data() + static_cast<std::size_t>(row) * width;
      return std::vector<double>(first, first + width);
    });
    return meter;
  }

private:
  static host_buffer<float> filled(std::int64_t size, std::uint64_t seed) {
    host_buffer<float> array(static_cast<std::size_t>(size), host_memory());
    for (std::size_t i = 0; i < array.size(); ++i) array[i] = random_value(seed, i);
    return array;
  }
  host_buffer<float> const& written(attention_array of) const {
    switch (of) {
      case attention_array::destination_grad:
        return destination_grad;
      case attention_array::key_grad:
        return key_grad;
      case attention_array::value_grad:
        return value_grad;
      case attention_array::parameter_grad:
        return parameter_grad;
      default:
        return out;
    }
  }

  host_views graph_;
  attention_shape shape_;
  host_buffer<float> destination_;
  host_buffer<float> key_;
  host_buffer<float> value_;
  host_buffer<float> parameter_;
  host_buffer<float> out_grad_;

public:  // what the passes write
  host_buffer<float> out;
  host_buffer<float> destination_grad;
  host_buffer<float> key_grad;
  host_buffer<float> value_grad;
  host_buffer<float> parameter_grad;
};

}  // namespace edgewise::bench
