// A classifier of point clouds: two layers of EdgeConv, a maximum over the points of each cloud, one matrix.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <edgewise/edgewise.hpp>

#include "models/edge_conv.hpp"
#include "models/graph_batch.hpp"
#include "models/initialize.hpp"
#include "models/matrix.hpp"
#include "models/parameters.hpp"
#include "models/readouts.hpp"

namespace edgewise::models {
namespace detail {

template <class T>
struct copy_element {
  T const* from;
  T* to;
  EDGEWISE_HD void operator()(std::int64_t i) const { to[i] = from[i]; }
};

}  // namespace detail

/// Every extent must be at least 1.
struct cloud_options {
  std::int32_t num_neighbors = 20;
  std::int64_t num_channels = 3;  // of a point
  std::int64_t num_hidden = 64;
  std::int64_t num_classes;
};

/// logits [clouds, classes] = max over points of h2[v] times W, plus c, with h1 = EdgeConv of the points and h2 =
/// EdgeConv of h1, over the nearest neighbors of the points and of the rows h1. Owns parameters and gradients. Source:
/// Wang et al. 2019, arXiv:1801.07829, figure 3, with two layers and a maximum of the last alone.
template <class T, class Context>
class cloud_classifier {
public:
  using space = typename Context::space;
  using layer = edge_conv<T, Context>;

  // Names of operands: public, since nvcc takes no others.
  struct h;  // rows of the points
  struct W;
  struct c;

  /// cloud_offsets [clouds + 1]: the points before each cloud. Parameters are 0 until `initialize`. Throws what
  /// `nearest_neighbors` and `graph_set` do.
  cloud_classifier(Context const& context, std::span<std::int32_t const> cloud_offsets, cloud_options const& o)
      : options_(o),
        clouds_(context, cloud_offsets),
        parameters_(context, {{o.num_channels, o.num_hidden},
                              {o.num_channels, o.num_hidden},
                              {1, o.num_hidden},
                              {o.num_hidden, o.num_hidden},
                              {o.num_hidden, o.num_hidden},
                              {1, o.num_hidden},
                              {o.num_hidden, o.num_classes},
                              {1, o.num_classes}}),
        first_(context, cloud_offsets, o.num_neighbors, values(0)),
        second_(context, cloud_offsets, o.num_neighbors, values(3)),
        h2_(make_matrix(context, num_points(), o.num_hidden)),
        dh1_(make_matrix(context, num_points(), o.num_hidden)),
        dh2_(make_matrix(context, num_points(), o.num_hidden)),
        logits_(make_matrix(context, num_clouds(), o.num_classes)),
        products_(context.make_products()),
        readout_(fuse(clouds_.batch.members(), automatic{}, readout(), products_by(*products_))
                     .plan(context.resource(), bind_readout())),
        saved_(readout_.make_saved(context.resource())) {}

  /// Draws the matrices from `seed`, the same on every device. Synchronises.
  void initialize(Context const& context, std::uint64_t seed) {
    random_state const state{seed, 0xFFFFFFFF};
    for (std::size_t k : {0, 1, 3, 4, 6}) {
      glorot_uniform(context, state, static_cast<std::uint32_t>(k), parameters_.value(k).as_matrix());
    }
  }

  std::int64_t num_points() const { return clouds_.batch.num_vertices(); }
  std::int64_t num_clouds() const { return clouds_.batch.num_graphs(); }

  /// Logits of points x [P, channels], of which it keeps a copy for `backward`.
  matrix_view<T const, space> forward(Context const& context, const_matrix_view<T, space> x) {
    require_shape("cloud_classifier: x", x, num_points(), options_.num_channels);
    context.for_each(x.size(), detail::copy_element<T>{x.data, first_.input().data});
    first_.forward(context, values(0), second_.input());
    second_.forward(context, values(3), h2_.view());
    readout_.forward(context.resource(), bind_readout(), out(wide_rows(logits_.view())), saved_);
    return std::as_const(logits_).view();
  }

  /// All parameter gradients from d loss / d logits [clouds, classes], for the last `forward`.
  void backward(Context const& context, const_matrix_view<T, space> dlogits) {
    require_shape("cloud_classifier: dlogits", dlogits, num_clouds(), options_.num_classes);
    readout_.backward(context.resource(), bind_readout(), saved_, grad_out(wide_rows(dlogits)),
                      grad<h>(wide_rows(dh2_.view())), grad<W>(wide_rows(gradient(6))),
                      grad<c>(wide_rows(gradient(7))));
    second_.backward(context, values(3), dh2_.view(), gradients(3), dh1_.view());
    first_.backward(context, values(0), dh1_.view(), gradients(0));
  }

  /// Of each layer Theta, Phi and the bias; then W and its bias.
  parameters<T, Context>& all_parameters() { return parameters_; }

private:
  /// A batch of graphs without edges, for its members.
  struct batch_of_clouds {
    graph_set<Context> set;
    graph_batch<Context> batch;
    batch_of_clouds(Context const& context, std::span<std::int32_t const> offsets)
        : set(context, offsets, std::vector<std::int32_t>(offsets.size()), {}, {}), batch(context, set, all(set)) {}
    static std::vector<std::int32_t> all(graph_set<Context> const& set) {
      std::vector<std::int32_t> result;
      for (std::int32_t g = 0; g < set.num_graphs(); ++g) result.push_back(g);
      return result;
    }
  };

  static auto readout() { return linear<W>(max_readout<h>()) + param<c>; }
  static matrix<T, space> make_matrix(Context const& context, std::int64_t rows, std::int64_t cols) {
    return {context.template make_buffer<T>(rows * cols), rows, cols};
  }
  template <class U>
  static auto wide_rows(matrix_view<U, space> x) {
    return wide(x.data, x.rows, static_cast<std::int32_t>(x.cols));
  }
  matrix_view<T const, space> value(std::size_t k) { return parameters_.value(k).as_matrix(); }
  matrix_view<T, space> gradient(std::size_t k) { return parameters_.gradient(k).as_matrix(); }
  typename layer::template parameters<T const> values(std::size_t k) { return {value(k), value(k + 1), value(k + 2)}; }
  typename layer::template parameters<T> gradients(std::size_t k) {
    return {gradient(k), gradient(k + 1), gradient(k + 2)};
  }
  auto bind_readout() {
    return bindings(bind<h>(wide_rows(std::as_const(h2_).view())), bind<W>(wide_rows(value(6))),
                    bind<c>(wide_rows(value(7))));
  }

  using products_type = typename Context::products_type;
  using bindings_type = decltype(bindings(bind<h>(wide_rows(matrix_view<T const, space>{})),
                                          bind<W>(wide_rows(matrix_view<T const, space>{})),
                                          bind<c>(wide_rows(matrix_view<T const, space>{}))));
  using readout_plan =
      decltype(fuse(std::declval<graph_batch<Context> const&>().members(), automatic{}, readout(),
                    products_by(std::declval<products_type const&>()))
                   .plan(std::declval<typename Context::resource_type const&>(), std::declval<bindings_type const&>()));

  cloud_options options_;
  batch_of_clouds clouds_;
  parameters<T, Context> parameters_;
  layer first_;
  layer second_;
  matrix<T, space> h2_;   // [P, hidden]
  matrix<T, space> dh1_;  // [P, hidden]
  matrix<T, space> dh2_;  // [P, hidden]
  matrix<T, space> logits_;
  std::unique_ptr<products_type> products_;  // the plan refers to it
  readout_plan readout_;
  typename readout_plan::saved_type saved_;
};

}  // namespace edgewise::models
