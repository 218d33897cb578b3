// The products that a model begins with: features under dropout, times matrices that lie side by side.
#pragma once

#include <cstdint>
#include <optional>

#include <edgewise/edgewise.hpp>

#include "models/dropout.hpp"
#include "models/matrix.hpp"
#include "models/parameters.hpp"
#include "models/sparse_matrix.hpp"

namespace edgewise::models {

/// What a model is made for: one graph, or every one of at most its sizes.
enum class model_for { one_graph, smaller_graphs };

/// drop(x) W for features x [V, F], dense (`matrix_view<T const, space>`) or sparse (`sparse_matrix<T, Context>`), and
/// W [F, C]. The features must outlive it; `state` keys the masks. `forward` and `backward` never allocate or
/// synchronise. `rebuild` takes other features in the place of x, of at most its sizes.
template <class T, class Context, class Features>
class feature_product;

template <class T, class Context>
class feature_product<T, Context, matrix_view<T const, typename Context::space>> {
public:
  using space = typename Context::space;
  using features_type = matrix_view<T const, space>;
  using products_type = typename Context::products_type;

  feature_product(Context const& context, features_type const& x, parameter_view<T const, space> const&,
                  random_state const* state, double dropout, products_type const& products, model_for)
      : x_(x), read_(x), products_(&products), mask_(state, 0, dropout) {
    if (dropout > 0) dropped_.emplace(context.template make_buffer<T>(x.size()), x.rows, x.cols);
  }
  void rebuild(Context const&, features_type const& x) { x_ = read_ = x; }

  /// z = drop(x) W [V, C]; without dropout where `drops` is false.
  void forward(Context const& context, parameter_view<T const, space> const& w, matrix_view<T, space> z, bool drops) {
    read_ = x_;
    if (drops && dropped_) {
      matrix_view<T, space> const dropped{dropped_->view().data, x_.rows, x_.cols};
      dropout(context, mask_, x_, dropped);
      read_ = dropped;
    }
    if (z.size() > 0) products_->multiply(context.resource(), rows(), matrix_of(w), matrix_of(z), false);
  }
  /// dw = drop(x)^T dz of the last `forward`.
  void backward(Context const& context, parameter_view<T const, space> const&, const_matrix_view<T, space> dz,
                parameter_view<T, space> const& dw) {
    if (dw.size() > 0)
      products_->multiply(context.resource(), rows().transposed(), matrix_of(dz), matrix_of(dw), false);
  }

  /// What the last `forward` read in the place of x.
  features_type const& dropped_rows() const { return read_; }

private:
  edgewise::matrix_view<T const> rows() const { return matrix_of(read_); }
  template <class U>
  static edgewise::matrix_view<U> matrix_of(matrix_view<U, space> const& m) {
    return {m.data, m.rows, m.cols, m.cols, 1};
  }
  template <class U>
  static edgewise::matrix_view<U> matrix_of(parameter_view<U, space> const& m) {
    return {m.data, m.rows, m.cols, m.row_stride, 1};
  }

  features_type x_;
  features_type read_;
  products_type const* products_;
  dropout_mask<T> mask_;
  std::optional<matrix<T, space>> dropped_;  // where something is
};

namespace detail {

/// The operands of a sparse product. Kernels cannot be named after private types.
struct sparse_product {
  struct value;
  struct W;
  struct drop;
};

}  // namespace detail

/// A sparse product is a weighted sum of rows of W over the edges from columns to rows of x.
template <class T, class Context>
class feature_product<T, Context, sparse_matrix<T, Context>> {
public:
  using space = typename Context::space;
  using features_type = sparse_matrix<T, Context>;

  feature_product(Context const& context, features_type const& x, parameter_view<T const, space> const& w,
                  random_state const* state, double dropout, typename Context::products_type const&, model_for use);
  void rebuild(Context const& context, features_type const& x);

  void forward(Context const& context, parameter_view<T const, space> const& w, matrix_view<T, space> z, bool drops);
  void backward(Context const& context, parameter_view<T const, space> const& w, const_matrix_view<T, space> dz,
                parameter_view<T, space> const& dw);

private:
  using value = detail::sparse_product::value;
  using W = detail::sparse_product::W;
  using drop = detail::sparse_product::drop;

  static auto program(double p) { return gather<sum>(edgewise::dropout<drop>(edge<value>, p) * src<W>); }
  template <class U>
  static auto rows_of(matrix_view<U, space> const& m) {
    return wide(m.data, m.rows, static_cast<std::int32_t>(m.cols));
  }
  template <class U>
  static auto rows_of(parameter_view<U, space> const& m) {
    return wide(m.data, m.rows, 1, static_cast<std::int32_t>(m.cols), m.row_stride);
  }
  static auto bind_all(features_type const& x, parameter_view<T const, space> const& w, random_state const* state) {
    return bindings(bind<value>(x.values()), bind<W>(rows_of(w)),
                    bind<drop>(state == nullptr ? no_dropout() : random_numbers(state, 0)));
  }
  using bindings_type = decltype(bind_all(std::declval<features_type const&>(), {}, nullptr));
  using plan_type =
      decltype(fuse(std::declval<features_type const&>().view(), automatic{}, program(0.0))
                   .plan(std::declval<typename Context::resource_type const&>(), std::declval<bindings_type const&>()));

  features_type const* x_;
  random_state const* state_;  // null where nothing is dropped
  plan_type plan_;
  typename plan_type::saved_type saved_;
};

// Outside of the class, so that a program of many models may compile them once (`extern template`).
template <class T, class Context>
feature_product<T, Context, sparse_matrix<T, Context>>::feature_product(Context const& context, features_type const& x,
                                                                        parameter_view<T const, space> const& w,
                                                                        random_state const* state, double dropout,
                                                                        typename Context::products_type const&,
                                                                        model_for use)
    : x_(&x),
      state_(dropout > 0 ? state : nullptr),
      plan_(use == model_for::one_graph
                ? fuse(x.view(), automatic{}, program(dropout)).plan(context.resource(), bind_all(x, w, state_))
                : fuse(x.view(), automatic{}, program(dropout))
                      .plan_for_capacity(context.resource(), bind_all(x, w, state_))),
      saved_(plan_.make_saved(context.resource())) {}

template <class T, class Context>
void feature_product<T, Context, sparse_matrix<T, Context>>::rebuild(Context const& context, features_type const& x) {
  plan_.rebuild(context.resource(), x.view());
  x_ = &x;
}

template <class T, class Context>
void feature_product<T, Context, sparse_matrix<T, Context>>::forward(Context const& context,
                                                                     parameter_view<T const, space> const& w,
                                                                     matrix_view<T, space> z, bool drops) {
  plan_.forward(context.resource(), bind_all(*x_, w, drops ? state_ : nullptr), out(rows_of(z)), saved_);
}

template <class T, class Context>
void feature_product<T, Context, sparse_matrix<T, Context>>::backward(Context const& context,
                                                                      parameter_view<T const, space> const& w,
                                                                      const_matrix_view<T, space> dz,
                                                                      parameter_view<T, space> const& dw) {
  plan_.backward(context.resource(), bind_all(*x_, w, state_), saved_, grad_out(rows_of(dz)), grad<W>(rows_of(dw)));
}

}  // namespace edgewise::models
