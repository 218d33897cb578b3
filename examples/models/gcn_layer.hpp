// One layer of a graph convolutional network: a dense product, then one fused program over the graph.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include <edgewise/edgewise.hpp>

#include "models/gemm.hpp"
#include "models/matrix.hpp"
#include "models/normalized_graph.hpp"

namespace edgewise::models {

/// Names of the operands of a layer's program.
namespace gcn_operand {
struct product;             // [V, D]: the layer's input times its weights, read by edges and by the self loop
struct source_factor;       // [V]: 1 / sqrt(1 + out-degree)
struct destination_factor;  // [V]: 1 / sqrt(1 + in-degree)
struct bias;                // [1, D]
struct drop;                // the random numbers of the layer's dropout
}  // namespace gcn_operand

/// A product + bias, A the symmetrically normalised adjacency with self loops. Its entries are products of one factor
/// of the source and one of the destination, and self loops are virtual: nothing of the size of the edges is stored.
inline constexpr auto gcn_sum = [] {
  using namespace gcn_operand;
  return gather<sum>(with_self(src<product> * src<source_factor>)) * dst<destination_factor> + param<bias>;
}();
/// max(A product + bias, 0) with elements dropped: what the next layer reads. Throws `invalid_argument` unless
/// 0 <= probability < 1.
constexpr auto gcn_hidden(double probability) {
  return edgewise::dropout<gcn_operand::drop>(relu(gcn_sum), probability);
}

using gcn_sum_program = std::remove_const_t<decltype(gcn_sum)>;
using gcn_hidden_program = decltype(gcn_hidden(0.0));

namespace detail {

template <class T, class Space>
auto wide_rows(matrix_view<T, Space> x) {
  return wide(x.data, x.rows, static_cast<std::int32_t>(x.cols));
}

template <class Program, class T, class Context, class Space>
auto bind_gcn_operands(normalized_graph<T, Context> const& graph, matrix_view<T const, Space> product,
                       matrix_view<T const, Space> bias, random_numbers_view numbers) {
  std::int64_t const n = graph.num_vertices();
  auto const with = [&](auto const&... drop) {
    return bindings(bind<gcn_operand::product>(wide_rows(product)),
                    bind<gcn_operand::source_factor>(per_row(graph.source_factor(), n)),
                    bind<gcn_operand::destination_factor>(per_row(graph.destination_factor(), n)),
                    bind<gcn_operand::bias>(wide_rows(bias)), drop...);
  };
  if constexpr (std::is_same_v<Program, gcn_hidden_program>) {
    return with(bind<gcn_operand::drop>(numbers));
  } else {
    return with();
  }
}

}  // namespace detail

/// y = program(x W, b), with `Program` one of `gcn_sum` and `gcn_hidden(p)`. Owns the product x W, its gradient and
/// what the plan keeps between the directions; weights and bias belong to the caller and, like the graph, must outlive
/// it. Nothing but construction allocates or synchronises; all results are deterministic. Source: Kipf & Welling 2017,
/// arXiv:1609.02907.
template <class T, class Context, class Program>
class gcn_layer {
public:
  using space = typename Context::space;

  /// Shapes: weight [F, D], bias [1, D]. `numbers` is what `gcn_hidden` drops by; `gcn_sum` draws none. May
  /// synchronise. Throws `invalid_argument` when the widths disagree.
  gcn_layer(Context const& context, normalized_graph<T, Context> const& graph, Program const& program,
            const_matrix_view<T, space> weight, const_matrix_view<T, space> bias,
            random_numbers_view numbers = no_dropout())
      : weight_(weight),
        product_(make_rows(context, graph, weight.cols)),
        product_gradient_(make_rows(context, graph, weight.cols)),
        operands_(detail::bind_gcn_operands<Program, T>(graph, std::as_const(product_).view(),
                                                        checked(bias, weight.cols), numbers)),
        inference_operands_(
            detail::bind_gcn_operands<Program, T>(graph, std::as_const(product_).view(), bias, no_dropout())),
        plan_(fuse(graph.view(), automatic{}, program).plan(context.resource(), operands_)),
        saved_(plan_.make_saved(context.resource())) {}

  /// Shapes: x [V, F], y [V, D], overwritten. Keeps what `backward` needs.
  void forward(Context const& context, const_matrix_view<T, space> x, matrix_view<T, space> y) {
    gemm(context, transpose::no, x, transpose::no, weight_, product_.view());
    plan_.forward(context.resource(), operands_, out(detail::wide_rows(y)), saved_);
  }

  /// The same, but drops and keeps nothing: `backward` then needs another `forward`.
  void infer(Context const& context, const_matrix_view<T, space> x, matrix_view<T, space> y) {
    gemm(context, transpose::no, x, transpose::no, weight_, product_.view());
    plan_.forward(context.resource(), inference_operands_, out(detail::wide_rows(y)));
  }

  /// The gradients of the parameters, overwritten, for the last `forward`, given its x and the gradient of its y.
  /// Shapes: x [V, F], dy [V, D], dweight [F, D], dbias [1, D].
  void backward(Context const& context, const_matrix_view<T, space> x, const_matrix_view<T, space> dy,
                matrix_view<T, space> dweight, matrix_view<T, space> dbias) {
    plan_.backward(context.resource(), operands_, saved_, grad_out(detail::wide_rows(dy)),
                   grad<gcn_operand::product>(detail::wide_rows(product_gradient_.view())),
                   grad<gcn_operand::bias>(detail::wide_rows(dbias)));
    gemm(context, transpose::yes, x, transpose::no, product_gradient_.view(), dweight);
  }

  /// The gradient of x, overwritten, after `backward`. Shape: dx [V, F].
  void input_gradient(Context const& context, matrix_view<T, space> dx) {
    gemm(context, transpose::no, product_gradient_.view(), transpose::yes, weight_, dx);
  }

private:
  using const_view = matrix_view<T const, space>;
  using operands_type = decltype(detail::bind_gcn_operands<Program, T>(
      std::declval<normalized_graph<T, Context> const&>(), std::declval<const_view>(), std::declval<const_view>(),
      random_numbers_view{}));
  using plan_type =
      decltype(fuse(std::declval<normalized_graph<T, Context> const&>().view(), automatic{}, std::declval<Program>())
                   .plan(std::declval<typename Context::resource_type const&>(), std::declval<operands_type>()));

  static matrix<T, space> make_rows(Context const& context, normalized_graph<T, Context> const& graph,
                                    std::int64_t width) {
    return {context.template make_buffer<T>(graph.num_vertices() * width), graph.num_vertices(), width};
  }
  static const_view checked(const_view bias, std::int64_t width) {
    require_shape("gcn_layer: bias", bias, 1, width);
    return bias;
  }

  const_view weight_;
  matrix<T, space> product_;           // [V, D], x W
  matrix<T, space> product_gradient_;  // [V, D]
  operands_type operands_;
  operands_type inference_operands_;
  plan_type plan_;
  typename plan_type::saved_type saved_;
};

}  // namespace edgewise::models
