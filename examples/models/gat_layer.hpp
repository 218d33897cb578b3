// One layer of a graph attention network: a dense product, then one fused program over the graph.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include <edgewise/edgewise.hpp>

#include "models/gemm.hpp"
#include "models/matrix.hpp"
#include "models/square_graph.hpp"

namespace edgewise::models {

/// Names of the operands of a layer's program.
namespace gat_operand {
struct projection;             // [V, heads, D]: the layer's input times its weights
struct source_attention;       // [1, heads, D]: the half of the attention vector that meets the source
struct destination_attention;  // [1, heads, D]: the half that meets the destination
struct bias;                   // [1, heads, D]
struct drop_attention;         // the random numbers of dropped attention weights
struct drop;                   // the random numbers of the dropout of what the layer gives
}  // namespace gat_operand

/// Attention over a vertex's neighbors and itself, + bias. The score of an edge is formed from the projections that its
/// message reads anyway, so nothing of the size of the edges or of the scores' halves is stored. Throws
/// `invalid_argument` unless 0 <= attention_dropout < 1.
constexpr auto gat_sum(double attention_dropout) {
  using namespace gat_operand;
  constexpr double negative_slope = 0.2;
  auto const score =
      leaky_relu(dot(src<projection>, param<source_attention>) + dot(dst<projection>, param<destination_attention>),
                 negative_slope);
  auto const weight = edgewise::dropout<drop_attention>(softmax(score), attention_dropout);
  return gather<sum>(with_self(weight * src<projection>)) + param<bias>;
}
/// ELU of that with elements dropped: what the next layer reads. Throws `invalid_argument` unless 0 <= dropout < 1.
constexpr auto gat_hidden(double attention_dropout, double dropout) {
  return edgewise::dropout<gat_operand::drop>(elu(gat_sum(attention_dropout)), dropout);
}

using gat_sum_program = decltype(gat_sum(0.0));
using gat_hidden_program = decltype(gat_hidden(0.0, 0.0));

/// What a layer learns, or the gradients of it. Shapes: weight [F, heads * D], the halves of the attention vectors
/// [heads, D], bias [1, heads * D].
template <class T, class Space>
struct gat_parameters {
  matrix_view<T, Space> weight;
  matrix_view<T, Space> source_attention;
  matrix_view<T, Space> destination_attention;
  matrix_view<T, Space> bias;

  std::int64_t heads() const { return source_attention.rows; }
  std::int64_t lanes() const { return source_attention.cols; }
  std::int64_t width() const { return heads() * lanes(); }
};

/// The random numbers of a layer's dropouts; `gat_sum` reads the first only.
struct gat_random_numbers {
  random_numbers_view attention = no_dropout();
  random_numbers_view result = no_dropout();
};

namespace detail {

/// The elements of `x` as rows of all heads side by side, whatever its own rows are: both [V, heads * D] and one
/// parameter's [heads, D].
template <class T, class Space, class Parameters>
auto rows_of_heads(matrix_view<T, Space> x, Parameters const& parameters) {
  std::int64_t const width = parameters.width();
  return wide(x.data, width == 0 ? 0 : x.size() / width, static_cast<std::int32_t>(parameters.heads()),
              static_cast<std::int32_t>(parameters.lanes()));
}

template <class Program, class T, class Space>
auto bind_gat_operands(matrix_view<T, Space> projection, gat_parameters<T, Space> const& parameters,
                       gat_random_numbers numbers) {
  auto const with = [&](auto const&... drop) {
    return bindings(
        bind<gat_operand::projection>(rows_of_heads(projection, parameters)),
        bind<gat_operand::source_attention>(rows_of_heads(parameters.source_attention, parameters)),
        bind<gat_operand::destination_attention>(rows_of_heads(parameters.destination_attention, parameters)),
        bind<gat_operand::bias>(rows_of_heads(parameters.bias, parameters)),
        bind<gat_operand::drop_attention>(numbers.attention), drop...);
  };
  if constexpr (std::is_same_v<Program, gat_hidden_program>) {
    return with(bind<gat_operand::drop>(numbers.result));
  } else {
    return with();
  }
}

}  // namespace detail

/// y = program(x W, parameters), with `Program` one of `gat_sum(q)` and `gat_hidden(q, p)`. Owns the projection x W,
/// its gradient and what the plan keeps between the directions; parameters belong to the caller and, like the graph,
/// must outlive it. Nothing but construction allocates or synchronises; all results are deterministic. Source:
/// Velickovic et al. 2018, arXiv:1710.10903, equations 3 to 5.
template <class T, class Context, class Program>
class gat_layer {
public:
  using space = typename Context::space;
  using parameters_type = gat_parameters<T const, space>;
  using gradients_type = gat_parameters<T, space>;

  /// `numbers` is what the program drops by. May synchronise. Throws `invalid_argument` when the shapes of the
  /// parameters disagree.
  gat_layer(Context const& context, square_graph<Context> const& graph, Program const& program,
            parameters_type const& parameters, gat_random_numbers numbers = {})
      : parameters_(checked(parameters)),
        projection_(make_rows(context, graph, parameters.width())),
        projection_gradient_(make_rows(context, graph, parameters.width())),
        operands_(detail::bind_gat_operands<Program>(std::as_const(projection_).view(), parameters, numbers)),
        inference_operands_(detail::bind_gat_operands<Program>(std::as_const(projection_).view(), parameters, {})),
        plan_(fuse(graph.view(), automatic{}, program).plan(context.resource(), operands_)),
        saved_(plan_.make_saved(context.resource())) {}

  /// Shapes: x [V, F], y [V, heads * D], overwritten. Keeps what `backward` needs.
  void forward(Context const& context, const_matrix_view<T, space> x, matrix_view<T, space> y) {
    require_rows("gat_layer: y", y);
    gemm(context, transpose::no, x, transpose::no, parameters_.weight, projection_.view());
    plan_.forward(context.resource(), operands_, out(rows(y)), saved_);
  }

  /// The same, but drops and keeps nothing: `backward` then needs another `forward`.
  void infer(Context const& context, const_matrix_view<T, space> x, matrix_view<T, space> y) {
    require_rows("gat_layer: y", y);
    gemm(context, transpose::no, x, transpose::no, parameters_.weight, projection_.view());
    plan_.forward(context.resource(), inference_operands_, out(rows(y)));
  }

  /// The gradients of the parameters, overwritten, for the last `forward`, given its x and the gradient of its y.
  /// Shapes: x [V, F], dy [V, heads * D], gradients as the parameters.
  void backward(Context const& context, const_matrix_view<T, space> x, const_matrix_view<T, space> dy,
                gradients_type const& gradients) {
    require_rows("gat_layer: dy", dy);
    require_gradients(gradients);
    plan_.backward(context.resource(), operands_, saved_, grad_out(rows(dy)),
                   grad<gat_operand::projection>(rows(projection_gradient_.view())),
                   grad<gat_operand::source_attention>(rows(gradients.source_attention)),
                   grad<gat_operand::destination_attention>(rows(gradients.destination_attention)),
                   grad<gat_operand::bias>(rows(gradients.bias)));
    gemm(context, transpose::yes, x, transpose::no, projection_gradient_.view(), gradients.weight);
  }

  /// The gradient of x, overwritten, after `backward`. Shape: dx [V, F].
  void input_gradient(Context const& context, matrix_view<T, space> dx) {
    gemm(context, transpose::no, projection_gradient_.view(), transpose::yes, parameters_.weight, dx);
  }

private:
  using operands_type = decltype(detail::bind_gat_operands<Program>(std::declval<matrix_view<T const, space>>(),
                                                                    std::declval<parameters_type const&>(), {}));
  using plan_type =
      decltype(fuse(std::declval<square_graph<Context> const&>().view(), automatic{}, std::declval<Program>())
                   .plan(std::declval<typename Context::resource_type const&>(), std::declval<operands_type>()));

  static matrix<T, space> make_rows(Context const& context, square_graph<Context> const& graph, std::int64_t width) {
    return {context.template make_buffer<T>(graph.num_vertices() * width), graph.num_vertices(), width};
  }

  // Operands take their heads and lanes from the attention vectors, so other shapes have to be compared here.
  static parameters_type const& checked(parameters_type const& parameters) {
    require_shape("gat_layer: weight", parameters.weight, parameters.weight.rows, parameters.width());
    require_shape("gat_layer: destination_attention", parameters.destination_attention, parameters.heads(),
                  parameters.lanes());
    require_shape("gat_layer: bias", parameters.bias, 1, parameters.width());
    return parameters;
  }
  void require_gradients(gradients_type const& gradients) const {
    require_shape("gat_layer: gradient of source_attention", gradients.source_attention, parameters_.heads(),
                  parameters_.lanes());
    require_shape("gat_layer: gradient of destination_attention", gradients.destination_attention, parameters_.heads(),
                  parameters_.lanes());
    require_shape("gat_layer: gradient of bias", gradients.bias, 1, parameters_.width());
  }
  template <class U>
  void require_rows(char const* operand, matrix_view<U, space> const& x) const {
    require_shape(operand, x, projection_.rows(), parameters_.width());
  }
  template <class U>
  auto rows(matrix_view<U, space> x) const {
    return detail::rows_of_heads(x, parameters_);
  }

  parameters_type parameters_;
  matrix<T, space> projection_;           // [V, heads * D], x W
  matrix<T, space> projection_gradient_;  // [V, heads * D]
  operands_type operands_;
  operands_type inference_operands_;
  plan_type plan_;
  typename plan_type::saved_type saved_;
};

}  // namespace edgewise::models
