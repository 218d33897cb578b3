// One layer of a graph attention network: a dense product, then one fused program over the graph.
#pragma once

#include <cstdint>
#include <type_traits>

#include <edgewise/edgewise.hpp>

#include "models/matrix.hpp"
#include "models/projected_layer.hpp"
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
/// ELU of `gat_sum` with elements dropped: what the next layer reads. Throws `invalid_argument` unless 0 <= dropout <
/// 1.
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
  std::int64_t channels() const { return source_attention.cols; }
  std::int64_t width() const { return heads() * channels(); }
};

/// What a GAT layer's programs read (projected_layer.hpp).
struct gat_formula {
  static constexpr char const* name = "gat_layer";
  template <class T, class Context>
  using graph_type = square_graph<Context>;
  template <class T, class Space>
  using parameters_type = gat_parameters<T, Space>;

  // Operands take their heads and channels from the attention vectors, so other shapes have to be compared here.
  template <class Parameters>
  static void require(Parameters const& parameters) {
    require_shape("gat_layer: weight", parameters.weight, parameters.weight.rows, parameters.width());
    require_shape("gat_layer: destination_attention", parameters.destination_attention, parameters.heads(),
                  parameters.channels());
    require_shape("gat_layer: bias", parameters.bias, 1, parameters.width());
  }
  template <class Parameters, class Gradients, class Use>
  static void for_each(Parameters const& parameters, Gradients const& gradients, Use const& use) {
    use("source_attention", parameters.source_attention, gradients.source_attention);
    use("destination_attention", parameters.destination_attention, gradients.destination_attention);
    use("bias", parameters.bias, gradients.bias);
  }

  template <class Program, class Graph, class Matrix, class Parameters>
  static auto bind_all(Graph const&, Matrix const& projection, Parameters const& parameters,
                       layer_dropouts const& dropouts) {
    using namespace gat_operand;
    auto const rows = [&](auto const& x) { return detail::rows_of_heads(x, parameters); };
    auto const with = [&](auto const&... drop) {
      return bindings(bind<gat_operand::projection>(rows(projection)),
                      bind<source_attention>(rows(parameters.source_attention)),
                      bind<destination_attention>(rows(parameters.destination_attention)),
                      bind<bias>(rows(parameters.bias)), bind<drop_attention>(dropouts.attention), drop...);
    };
    if constexpr (std::is_same_v<Program, gat_hidden_program>) {
      return with(bind<drop>(dropouts.result));
    } else {
      return with();
    }
  }
  template <class Matrix, class Gradients, class Call>
  static void with_gradients(Matrix const& projection_gradient, Gradients const& gradients, Call const& call) {
    using namespace gat_operand;
    auto const rows = [&](auto const& x) { return detail::rows_of_heads(x, gradients); };
    call(grad<projection>(rows(projection_gradient)), grad<source_attention>(rows(gradients.source_attention)),
         grad<destination_attention>(rows(gradients.destination_attention)), grad<bias>(rows(gradients.bias)));
  }
};

/// y = program(x W, parameters), with `Program` one of `gat_sum(q)` and `gat_hidden(q, p)`. Source: Velickovic et al.
/// 2018, arXiv:1710.10903, equations 3 to 5.
template <class T, class Context, class Program>
using gat_layer = projected_layer<T, Context, gat_formula, Program>;

}  // namespace edgewise::models
