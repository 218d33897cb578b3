// EdgeConv over the nearest neighbors of the rows that it is given.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include <edgewise/edgewise.hpp>

#include "models/matrix.hpp"
#include "models/nearest_neighbors.hpp"

namespace edgewise::models {

/// y[v] = max over the k nearest points u of v of relu(Theta (x[u] - x[v]) + Phi x[v] + b), channel by channel, where
/// points are neighbors by their rows x, anew in each call. The product with Theta is formed for points, not for
/// edges. Gradients take the neighbors as given. On a device include edgewise/format/convert.cuh, too. Source: Wang et
/// al. 2019, arXiv:1801.07829, equation 8, and section 3.2 for the dynamic graph.
template <class T, class Context>
class edge_conv {
public:
  using space = typename Context::space;
  using rows = matrix_view<T, space>;
  using const_rows = const_matrix_view<T, space>;

  // Names of operands: public, since nvcc takes no others.
  struct h;  // x
  struct Theta;
  struct Phi;
  struct b;

  /// Matrices [inputs, outputs] and a bias [1, outputs]: the layer's parameters, or their gradients.
  template <class U>
  struct parameters {
    matrix_view<U, space> theta;
    matrix_view<U, space> phi;
    matrix_view<U, space> bias;
  };

  /// cloud_offsets and k as in `nearest_neighbors`, `p` of the shapes of all later calls.
  edge_conv(Context const& context, std::span<std::int32_t const> cloud_offsets, std::int32_t k,
            parameters<T const> const& p)
      : neighbors_(context, cloud_offsets, k),
        input_(context.template make_buffer<T>(neighbors_.num_points() * p.theta.rows), neighbors_.num_points(),
               p.theta.rows),
        products_(context.make_products()),
        plan_(fuse(graph{csr_view<>{}, csc_view<>{}}, automatic{}, program(), products_by(*products_))
                  .plan_for_capacity(context.resource(), bind_all(input_.view(), p),
                                     {.sources = neighbors_.num_points(),
                                      .destinations = neighbors_.num_points(),
                                      .edges = neighbors_.num_edges()})),
        saved_(plan_.make_saved(context.resource())) {}

  /// x [P, inputs]: to be filled before `forward`, and left as it is until `backward`.
  rows input() { return input_.view(); }

  /// y [P, outputs] of what is in `input()`. Allocates the other grouping of the edges.
  void forward(Context const& context, parameters<T const> const& p, rows y) {
    neighbors_.update(context, input_.view());
    by_source_ = to_csc(context.resource(), neighbors_.view());
    plan_.rebuild(context.resource(), graph{neighbors_.view(), by_source_.view()});
    plan_.forward(context.resource(), bind_all(input_.view(), p), out(wide_rows(y)), saved_);
  }

  /// Gradients of the parameters from dy [P, outputs], for the last `forward`, whose parameters these are.
  void backward(Context const& context, parameters<T const> const& p, const_rows dy, parameters<T> const& gradients) {
    plan_.backward(context.resource(), bind_all(input_.view(), p), saved_, grad_out(wide_rows(dy)),
                   grad<Theta>(wide_rows(gradients.theta)), grad<Phi>(wide_rows(gradients.phi)),
                   grad<b>(wide_rows(gradients.bias)));
  }
  /// And of x, dx [P, inputs].
  void backward(Context const& context, parameters<T const> const& p, const_rows dy, parameters<T> const& gradients,
                rows dx) {
    plan_.backward(context.resource(), bind_all(input_.view(), p), saved_, grad_out(wide_rows(dy)),
                   grad<Theta>(wide_rows(gradients.theta)), grad<Phi>(wide_rows(gradients.phi)),
                   grad<b>(wide_rows(gradients.bias)), grad<h>(wide_rows(dx)));
  }

  nearest_neighbors<T, Context> const& neighbors() const { return neighbors_; }

private:
  static auto program() { return gather<max>(relu(linear<Theta>(src<h> - dst<h>) + linear<Phi>(dst<h>) + param<b>)); }
  template <class U>
  static auto wide_rows(matrix_view<U, space> x) {
    return wide(x.data, x.rows, static_cast<std::int32_t>(x.cols));
  }
  static auto bind_all(matrix_view<T const, space> x, parameters<T const> const& p) {
    return bindings(bind<h>(wide_rows(x)), bind<Theta>(wide_rows(p.theta)), bind<Phi>(wide_rows(p.phi)),
                    bind<b>(wide_rows(p.bias)));
  }

  using products_type = typename Context::products_type;
  using plan_type = decltype(fuse(graph{csr_view<>{}, csc_view<>{}}, automatic{}, program(),
                                  products_by(std::declval<products_type const&>()))
                                 .plan_for_capacity(std::declval<typename Context::resource_type const&>(),
                                                    bind_all(std::declval<matrix_view<T const, space>>(),
                                                             std::declval<parameters<T const> const&>()),
                                                    graph_capacity{}));

  nearest_neighbors<T, Context> neighbors_;
  csc<std::int32_t, std::int32_t, space> by_source_;
  matrix<T, space> input_;                   // [P, inputs]
  std::unique_ptr<products_type> products_;  // the plan refers to it
  plan_type plan_;
  typename plan_type::saved_type saved_;
};

}  // namespace edgewise::models
