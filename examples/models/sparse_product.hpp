// The products of a sparse matrix with rows of a dense one, element by element.
#pragma once

#include <utility>

#include <edgewise/edgewise.hpp>

#include "models/matrix.hpp"
#include "models/parameters.hpp"
#include "models/random_bits.hpp"
#include "models/sparse_matrix.hpp"

namespace edgewise::models {

/// What a model is made for: one graph, or every one of at most its sizes.
enum class model_for { one_graph, smaller_graphs };

namespace detail {

/// The operands of a sparse product. Kernels cannot be named after private types.
struct sparse_operands {
  struct value;
  struct W;
  struct drop;
};

/// An element of a sparse matrix, dropped with a probability.
inline auto dropped_element(double probability) {
  return edgewise::dropout<sparse_operands::drop>(edge<sparse_operands::value>, probability);
}

}  // namespace detail

/// drop(x) W for a sparse x [V, F] and W [F, C]: a weighted sum of rows of W over the edges from columns to rows of x.
/// The members are those of `feature_product`.
template <class T, class Context>
class sparse_product {
public:
  using space = typename Context::space;
  using features_type = sparse_matrix<T, Context>;

  sparse_product(Context const& context, features_type const& x, parameter_view<T const, space> const& w,
                 random_state const* state, double dropout, model_for use);
  void rebuild(Context const& context, features_type const& x);

  void forward(Context const& context, parameter_view<T const, space> const& w, matrix_view<T, space> z, bool drops);
  void backward(Context const& context, parameter_view<T const, space> const& w, const_matrix_view<T, space> dz,
                parameter_view<T, space> const& dw);

private:
  using value = detail::sparse_operands::value;
  using W = detail::sparse_operands::W;
  using drop = detail::sparse_operands::drop;

  static auto program(double p) { return gather<sum>(detail::dropped_element(p) * src<W>); }
  template <class U>
  static auto rows_of(matrix_view<U, space> const& m) {
    return wide(m.data, m.rows, static_cast<std::int32_t>(m.cols));
  }
  template <class U>
  static auto rows_of(parameter_view<U, space> const& m) {
    return wide(m.data, m.rows, 1, static_cast<std::int32_t>(m.cols), m.row_stride);
  }
  static auto bind_all(features_type const& x, parameter_view<T const, space> const& w, random_state const* state) {
    return bindings(bind<value>(x.values()), bind<W>(rows_of(w)), bind<drop>(x.random_numbers(state)));
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
sparse_product<T, Context>::sparse_product(Context const& context, features_type const& x,
                                           parameter_view<T const, space> const& w, random_state const* state,
                                           double dropout, model_for use)
    : x_(&x),
      state_(dropout > 0 ? state : nullptr),
      plan_(use == model_for::one_graph
                ? fuse(x.view(), automatic{}, program(dropout)).plan(context.resource(), bind_all(x, w, state_))
                : fuse(x.view(), automatic{}, program(dropout))
                      .plan_for_capacity(context.resource(), bind_all(x, w, state_))),
      saved_(plan_.make_saved(context.resource())) {}

template <class T, class Context>
void sparse_product<T, Context>::rebuild(Context const& context, features_type const& x) {
  plan_.rebuild(context.resource(), x.view());
  x_ = &x;
}

template <class T, class Context>
void sparse_product<T, Context>::forward(Context const& context, parameter_view<T const, space> const& w,
                                         matrix_view<T, space> z, bool drops) {
  plan_.forward(context.resource(), bind_all(*x_, w, drops ? state_ : nullptr), out(rows_of(z)), saved_);
}

template <class T, class Context>
void sparse_product<T, Context>::backward(Context const& context, parameter_view<T const, space> const& w,
                                          const_matrix_view<T, space> dz, parameter_view<T, space> const& dw) {
  plan_.backward(context.resource(), bind_all(*x_, w, state_), saved_, grad_out(rows_of(dz)), grad<W>(rows_of(dw)));
}

}  // namespace edgewise::models
