// A layer that is a dense product, then one fused program over the graph: what GCN, GAT and the graph transformer
// share.
#pragma once

#include <cstdint>
#include <utility>

#include <edgewise/edgewise.hpp>

#include "models/gemm.hpp"
#include "models/matrix.hpp"

namespace edgewise::models {

/// The random numbers of a layer's dropouts; programs ignore what they do not read.
struct layer_dropouts {
  random_numbers_view attention = no_dropout();  // of the attention weights
  random_numbers_view result = no_dropout();     // of what the layer gives
};

namespace detail {

/// The elements of `x` as rows of all heads side by side, whatever its own rows are: both [V, heads * D] and one
/// parameter's [heads, D].
template <class T, class Space, class Parameters>
auto rows_of_heads(matrix_view<T, Space> x, Parameters const& parameters) {
  std::int64_t const width = parameters.width();
  return wide(x.data, width == 0 ? 0 : x.size() / width, static_cast<std::int32_t>(parameters.heads()),
              static_cast<std::int32_t>(parameters.channels()));
}

}  // namespace detail

/// y = program(x W, parameters). `Formula` says what the layer's programs read (gat_layer.hpp has one):
/// - `name`, for messages, and `graph_type<T, Context>`;
/// - `parameters_type<T, Space>`: an aggregate of matrix views, `weight` first, with y's `heads()`, `channels()` and
///   `width()`, their product;
/// - `require(parameters)` throws `invalid_argument` when shapes disagree;
/// - `for_each(parameters, gradients, use)` calls use(name, parameter, gradient) for all but the weight;
/// - `bind_all<Program>(graph, projection, parameters, dropouts)`: the bindings of `Program`;
/// - `with_gradients(projection_gradient, gradients, call)` calls call(grad<...>(...)...).
///
/// Owns the projection x W, its gradient and what the plan keeps between the directions; parameters belong to the
/// caller and, like the graph, must outlive it. Nothing but construction allocates or synchronises; all results are
/// deterministic.
template <class T, class Context, class Formula, class Program>
class projected_layer {
public:
  using space = typename Context::space;
  using graph_type = typename Formula::template graph_type<T, Context>;
  using parameters_type = typename Formula::template parameters_type<T const, space>;
  using gradients_type = typename Formula::template parameters_type<T, space>;

  /// `dropouts` is what the program drops by. May synchronise. Throws `invalid_argument` when the shapes of the
  /// parameters disagree.
  projected_layer(Context const& context, graph_type const& graph, Program const& program,
                  parameters_type const& parameters, layer_dropouts const& dropouts = {})
      : parameters_(checked(parameters)),
        projection_(make_projection(context, graph.num_vertices())),
        projection_gradient_(make_projection(context, graph.num_vertices())),
        operands_(operands(graph, dropouts)),
        inference_operands_(operands(graph, {})),
        plan_(fuse(graph.view(), automatic{}, program).plan(context.resource(), operands_)),
        saved_(plan_.make_saved(context.resource())) {}

  /// Shapes: x [V, F], y [V, heads * channels], overwritten. Keeps what `backward` needs.
  void forward(Context const& context, const_matrix_view<T, space> x, matrix_view<T, space> y) {
    require_rows("y", y);
    project(context, x);
    plan_.forward(context.resource(), operands_, out(detail::rows_of_heads(y, parameters_)), saved_);
  }

  /// As `forward`, but drops and keeps nothing: `backward` then needs another `forward`.
  void infer(Context const& context, const_matrix_view<T, space> x, matrix_view<T, space> y) {
    require_rows("y", y);
    project(context, x);
    plan_.forward(context.resource(), inference_operands_, out(detail::rows_of_heads(y, parameters_)));
  }

  /// The gradients of the parameters, overwritten, for the last `forward`, given its x and the gradient of its y.
  /// Shapes: x [V, F], dy [V, heads * channels], gradients as the parameters.
  void backward(Context const& context, const_matrix_view<T, space> x, const_matrix_view<T, space> dy,
                gradients_type const& gradients) {
    require_rows("dy", dy);
    Formula::for_each(parameters_, gradients, [](char const* name, auto const& parameter, auto const& gradient) {
      require_shape(member{"gradient of ", name}, gradient, parameter.rows, parameter.cols);
    });
    Formula::with_gradients(projection_gradient_.view(), gradients, [&](auto const&... requests) {
      plan_.backward(context.resource(), operands_, saved_, grad_out(detail::rows_of_heads(dy, parameters_)),
                     requests...);
    });
    gemm(context, transpose::yes, x, transpose::no, projection_gradient_.view(), gradients.weight);
  }

  /// The gradient of x, overwritten, after `backward`. Shape: dx [V, F].
  void input_gradient(Context const& context, matrix_view<T, space> dx) {
    gemm(context, transpose::no, projection_gradient_.view(), transpose::yes, parameters_.weight, dx);
  }

private:
  /// What a message calls a matrix of this layer.
  struct member {
    char const* prefix;
    char const* name;
    template <class Stream>
    friend Stream& operator<<(Stream& stream, member const& m) {
      stream << Formula::name << ": " << m.prefix << m.name;
      return stream;
    }
  };

  using operands_type = decltype(Formula::template bind_all<Program>(
      std::declval<graph_type const&>(), std::declval<matrix_view<T const, space>>(),
      std::declval<parameters_type const&>(), std::declval<layer_dropouts const&>()));
  using plan_type =
      decltype(fuse(std::declval<graph_type const&>().view(), automatic{}, std::declval<Program>())
                   .plan(std::declval<typename Context::resource_type const&>(), std::declval<operands_type>()));

  static parameters_type const& checked(parameters_type const& parameters) {
    Formula::require(parameters);
    return parameters;
  }
  matrix<T, space> make_projection(Context const& context, std::int64_t rows) const {
    std::int64_t const cols = parameters_.weight.cols;
    return {context.template make_buffer<T>(rows * cols), rows, cols};
  }
  operands_type operands(graph_type const& graph, layer_dropouts const& dropouts) const {
    return Formula::template bind_all<Program>(graph, projection_.view(), parameters_, dropouts);
  }
  void project(Context const& context, matrix_view<T const, space> x) {
    gemm(context, transpose::no, x, transpose::no, parameters_.weight, projection_.view());
  }
  template <class U>
  void require_rows(char const* name, matrix_view<U, space> const& y) const {
    require_shape(member{"", name}, y, projection_.rows(), parameters_.width());
  }

  parameters_type parameters_;
  matrix<T, space> projection_;           // [V, P], x W
  matrix<T, space> projection_gradient_;  // [V, P]
  operands_type operands_;
  operands_type inference_operands_;
  plan_type plan_;
  typename plan_type::saved_type saved_;
};

}  // namespace edgewise::models
