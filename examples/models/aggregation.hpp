// The graph operation of a GCN layer: multiplication by the symmetrically normalised adjacency with self loops.
#pragma once

#include <cstdint>

#include <edgewise/config.hpp>
#include <edgewise/format/grouping.hpp>

#include "models/matrix.hpp"
#include "models/normalized_graph.hpp"

namespace edgewise::models {
namespace detail {

/// One element of y, with f the neighbor's factor: y[r] = row_factor[r] (f[r] x[r] + sum over neighbors n of f[n]
/// x[n]).
template <class T>
struct aggregate_body {
  grouping_view<> rows;
  T const* row_factor;
  T const* neighbor_factor;
  std::int64_t width;
  T const* x;
  T* y;

  EDGEWISE_HD void operator()(std::int64_t i) const {
    std::int64_t const row = i / width;
    std::int64_t const lane = i % width;
    T sum = neighbor_factor[row] * x[i];  // the self loop
    for (std::int32_t k = rows.offsets[row]; k < rows.offsets[row + 1]; ++k) {
      std::int64_t const neighbor = rows.neighbors[k];
      sum += neighbor_factor[neighbor] * x[neighbor * width + lane];
    }
    y[i] = row_factor[row] * sum;
  }
};

}  // namespace detail

/// y[v] = d_in(v)^-1/2 (d_out(v)^-1/2 x[v] + sum over edges u -> v of d_out(u)^-1/2 x[u]), degrees counting a self
/// loop. Linear in x, so `backward` needs nothing saved. One plan for one feature width; the graph must outlive it.
/// Neither direction allocates or synchronises; both are deterministic. Source: Kipf & Welling 2017, arXiv:1609.02907.
template <class T, class Context>
class aggregation {
public:
  using space = typename Context::space;

  aggregation(Context const&, normalized_graph<T, Context> const& graph, std::int64_t width)
      : graph_(&graph), width_(width) {}

  /// Shapes: x [V, width], y [V, width]; y is overwritten and must not overlap x. Throws `invalid_argument` otherwise.
  void forward(Context const& context, const_matrix_view<T, space> x, matrix_view<T, space> y) const {
    require_shape("aggregation: x", x, graph_->num_vertices(), width_);
    require_shape("aggregation: y", y, graph_->num_vertices(), width_);
    context.for_each(x.size(), detail::aggregate_body<T>{graph_->by_destination(), graph_->destination_factor(),
                                                         graph_->source_factor(), width_, x.data, y.data});
  }

  /// The gradient of x from the gradient of y: the same sum along the edges' other direction.
  void backward(Context const& context, const_matrix_view<T, space> dy, matrix_view<T, space> dx) const {
    require_shape("aggregation: dy", dy, graph_->num_vertices(), width_);
    require_shape("aggregation: dx", dx, graph_->num_vertices(), width_);
    context.for_each(dy.size(), detail::aggregate_body<T>{graph_->by_source(), graph_->source_factor(),
                                                          graph_->destination_factor(), width_, dy.data, dx.data});
  }

private:
  normalized_graph<T, Context> const* graph_;
  std::int64_t width_;
};

}  // namespace edgewise::models
