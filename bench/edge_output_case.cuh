// One program of edges on one graph: out[e] = dot(left[dst], right[src]) or out[e, :] = left[dst, :] + right[src, :],
// its gradients, and the float64 check of each.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <edgewise/core/error.hpp>

#include "harness/candidate.cuh"
#include "harness/device_graph.cuh"
#include "harness/operands.hpp"
#include "harness/spot_check.hpp"

namespace edgewise::bench {

enum class edge_op { dot, add };
enum class edge_pass { forward, grad_left, grad_right };

inline char const* edge_op_name(edge_op op) { return op == edge_op::dot ? "edge_dot" : "edge_add"; }
/// Throws `invalid_argument` for a name that is none.
inline edge_pass edge_pass_from(std::string const& name) {
  if (name == "forward") return edge_pass::forward;
  if (name == "grad_left") return edge_pass::grad_left;
  if (name == "grad_right") return edge_pass::grad_right;
  throw invalid_argument(edgewise::detail::text("pass: '", name, "' is not forward, grad_left or grad_right"));
}

/// Device arrays stored as T; the device graph must outlive it.
template <class T>
class edge_output_case {
public:
  edge_output_case(device_graph const& graph, edge_op op, std::int32_t channels, cudaStream_t stream)
      : graph_(&graph),
        op_(op),
        channels_(channels),
        stream_(stream),
        left_(random_array<T>(at_destinations(), left_seed, stream)),
        right_(random_array<T>(at_sources(), right_seed, stream)),
        out_grad_(random_array<T>(at_edges(), out_grad_seed, stream)),
        out(make_array<T>(at_edges(), stream)),
        left_grad(make_array<T>(at_destinations(), stream)),
        right_grad(make_array<T>(at_sources(), stream)) {}

  /// Bytes of all arrays, asked before there are any.
  static double bytes(device_graph const& g, edge_op op, std::int32_t channels) {
    double const of_edge = op == edge_op::dot ? 1 : channels;
    return sizeof(T) *
           (2.0 * channels * (double{1} * g.num_destinations() + g.num_sources()) + 2.0 * of_edge * g.num_edges());
  }

  device_graph const& graph() const { return *graph_; }
  edge_op op() const { return op_; }
  std::int32_t channels() const { return channels_; }
  T const* left() const { return left_.data(); }          // [V, channels]
  T const* right() const { return right_.data(); }        // [S, channels]
  T const* out_grad() const { return out_grad_.data(); }  // [E] by edge id; add: [E, channels]

  edge_dot_operands<T> dot_operands() {
    return {graph_->csr(), left_.data(), right_.data(), out.data(), channels_, channels_};
  }
  /// The gradients of a dot as products by rows: that of `right` by source, with the adjoints permuted beforehand.
  weighted_sum_operands<T> product(edge_pass p) {
    if (p == edge_pass::grad_left)
      return {graph_->csr(), out_grad_.data(), right_.data(), left_grad.data(), channels_, channels_};
    if (by_source_.empty()) by_source_ = random_array<T>(at_edges(), out_grad_seed, stream_, graph_->csc().edge_ids);
    return {graph_->csc(), by_source_.data(), left_.data(), right_grad.data(), channels_, channels_};
  }

  /// Poisons the output of the pass, runs `launch` once and compares a sample with float64. Synchronises.
  verdict check(edge_pass p, launch_function const& launch) {
    poison(p == edge_pass::forward ? out : p == edge_pass::grad_left ? left_grad : right_grad, stream_);
    launch(stream_);
    check_cuda(cudaGetLastError(), "check: launch");
    host_graph const& host = graph_->host();
    error_meter meter(element<T>::epsilon, element<T>::smallest_step);
    if (p == edge_pass::forward) {
      check_edges(host.by_destination, meter);
    } else if (p == edge_pass::grad_left) {
      check_rows(host.by_destination, right_seed, left_grad, meter);
    } else {
      check_rows(host.by_source, left_seed, right_grad, meter);
    }
    return {meter.passed(), meter.worst_error()};
  }

private:
  static constexpr std::uint64_t left_seed = 1, right_seed = 2, out_grad_seed = 3;
  static constexpr int num_sampled_rows = 60, num_edges_per_row = 50;

  std::size_t at_destinations() const { return static_cast<std::size_t>(graph_->num_destinations()) * channels_; }
  std::size_t at_sources() const { return static_cast<std::size_t>(graph_->num_sources()) * channels_; }
  std::size_t edge_width() const { return op_ == edge_op::dot ? 1 : static_cast<std::size_t>(channels_); }
  std::size_t at_edges() const { return static_cast<std::size_t>(graph_->num_edges()) * edge_width(); }

  static auto stored(std::uint64_t seed) {
    return [seed](std::uint64_t i) { return element<T>::rounded(random_value(seed, i)); };
  }

  void check_edges(host_grouping const& rows, error_meter& meter) {
    auto const left = stored(left_seed), right = stored(right_seed);
    for (std::int32_t row : sampled_rows(rows, num_sampled_rows)) {
      std::int32_t const begin = rows.offsets[row];
      std::int32_t const count = std::min(rows.offsets[row + 1] - begin, num_edges_per_row);
      if (count == 0) continue;
      auto const values = download(out, begin * edge_width(), count * edge_width(), stream_);
      for (std::int32_t k = 0; k < count; ++k) {
        std::int32_t const neighbor = rows.neighbors[begin + k];
        if (op_ == edge_op::dot) {
          auto const expected = dot_product(row, neighbor, channels_, left, right);
          meter.add(values[k], expected.values[0], expected.magnitudes[0], expected.terms);
          continue;
        }
        for (std::int32_t channel = 0; channel < channels_; ++channel) {
          double const a = left(static_cast<std::uint64_t>(row) * channels_ + channel);
          double const b = right(static_cast<std::uint64_t>(neighbor) * channels_ + channel);
          meter.add(values[static_cast<std::size_t>(k) * channels_ + channel], a + b, std::abs(a) + std::abs(b), 2);
        }
      }
    }
  }

  /// dot: sums of adjoint times the other endpoint's rows; add: sums of adjoints.
  void check_rows(host_grouping const& rows, std::uint64_t other_seed, device_buffer<T> const& actual,
                  error_meter& meter) {
    auto const adjoint = stored(out_grad_seed);
    for (std::int32_t row : sampled_rows(rows, num_sampled_rows)) {
      reference_row expected;
      if (op_ == edge_op::dot) {
        expected = weighted_sum_row(rows, row, channels_, adjoint, stored(other_seed));
      } else {
        expected = {std::vector<double>(edge_width()), std::vector<double>(edge_width()), 0};
        for (std::int32_t k = rows.offsets[row]; k < rows.offsets[row + 1]; ++k) {
          for (std::size_t channel = 0; channel < edge_width(); ++channel) {
            double const term = adjoint(static_cast<std::uint64_t>(rows.edge_id(k)) * edge_width() + channel);
            expected.values[channel] += term;
            expected.magnitudes[channel] += std::abs(term);
          }
          expected.terms += 1;
        }
      }
      auto const values = download(actual, static_cast<std::size_t>(row) * channels_, channels_, stream_);
      for (std::size_t channel = 0; channel < values.size(); ++channel) {
        meter.add(values[channel], expected.values[channel], expected.magnitudes[channel], expected.terms);
      }
    }
  }

  device_graph const* graph_;
  edge_op op_;
  std::int32_t channels_;
  cudaStream_t stream_;
  device_buffer<T> left_, right_, out_grad_;
  device_buffer<T> by_source_;  // adjoints in the order of csc, for peers

public:  // what the passes write
  device_buffer<T> out, left_grad, right_grad;
};

}  // namespace edgewise::bench
