// The products that a model begins with: features under dropout, times matrices that lie side by side.
#pragma once

#include <cstdint>
#include <optional>

#include <edgewise/core/error.hpp>
#include <edgewise/edgewise.hpp>

#include "models/dense_copy.hpp"
#include "models/dropout.hpp"
#include "models/matrix.hpp"
#include "models/parameters.hpp"
#include "models/sparse_matrix.hpp"
#include "models/sparse_product.hpp"

namespace edgewise::models {

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
    if (Context::is_ranked && dropout > 0) {
      throw invalid_argument("feature_product: dense features are not dropped by ranks; make a sparse_matrix of them");
    }
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

/// A sparse matrix is multiplied element by element, or as a dense copy (`takes_dense_copy`), with the same dropout.
template <class T, class Context>
class feature_product<T, Context, sparse_matrix<T, Context>> {
public:
  using space = typename Context::space;
  using features_type = sparse_matrix<T, Context>;

  feature_product(Context const& context, features_type const& x, parameter_view<T const, space> const& w,
                  random_state const* state, double dropout, typename Context::products_type const& products,
                  model_for use) {
    if (use == model_for::one_graph && takes_dense_copy(x, w.cols)) {
      copy_.emplace(context, x, state, dropout);
      of_copy_.emplace(context, copy_->view(), w, nullptr, 0.0, products, use);
    } else {
      by_elements_.emplace(context, x, w, state, dropout, use);
    }
  }
  void rebuild(Context const& context, features_type const& x) { by_elements_.value().rebuild(context, x); }

  void forward(Context const& context, parameter_view<T const, space> const& w, matrix_view<T, space> z, bool drops) {
    if (by_elements_) return by_elements_->forward(context, w, z, drops);
    copy_->write(context, drops);
    of_copy_->forward(context, w, z, false);
  }
  void backward(Context const& context, parameter_view<T const, space> const& w, const_matrix_view<T, space> dz,
                parameter_view<T, space> const& dw) {
    by_elements_ ? by_elements_->backward(context, w, dz, dw) : of_copy_->backward(context, w, dz, dw);
  }

private:
  std::optional<sparse_product<T, Context>> by_elements_;  // or else
  std::optional<dense_copy<T, Context>> copy_;
  std::optional<feature_product<T, Context, matrix_view<T const, space>>> of_copy_;
};

}  // namespace edgewise::models
