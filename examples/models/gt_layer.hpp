// One layer of a graph transformer: a dense product to queries, keys, values and skip, then one fused program.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include <edgewise/edgewise.hpp>

#include "models/matrix.hpp"
#include "models/projected_layer.hpp"
#include "models/square_graph.hpp"

namespace edgewise::models {

/// Names of the operands of a layer's program.
namespace gt_operand {
struct query;           // [V, heads, D], of the destination
struct key;             // [V, heads, D], of the source
struct value;           // [V, heads, D], of the source
struct skip;            // [V, heads, D]: the vertex's own input times the root weights
struct query_bias;      // [1, heads, D]
struct bias;            // [1, heads, D]
struct drop_attention;  // the random numbers of dropped attention weights
struct drop;            // the random numbers of the dropout of what the layer gives
}  // namespace gt_operand

/// Dot-product attention of heads of `channels` elements over a vertex's neighbors, + the vertex itself through weights
/// of its own, + bias. A bias of the keys would add one number to all scores of a row, which softmax takes out again,
/// and one of the values a constant, which `bias` is. Throws `invalid_argument` unless 0 <= attention_dropout < 1.
inline auto gt_sum(std::int64_t channels, double attention_dropout) {
  using namespace gt_operand;
  double const scale = 1.0 / std::sqrt(static_cast<double>(channels));
  auto const score = dot(dst<query> + param<query_bias>, src<key>) * scale;
  auto const weight = edgewise::dropout<drop_attention>(softmax(score), attention_dropout);
  return gather<sum>(weight * src<value>) + dst<skip> + param<bias>;
}
/// ELU of `gt_sum` with elements dropped: what the next layer reads. Throws `invalid_argument` unless 0 <= dropout < 1.
inline auto gt_hidden(std::int64_t channels, double attention_dropout, double dropout) {
  return edgewise::dropout<gt_operand::drop>(elu(gt_sum(channels, attention_dropout)), dropout);
}

using gt_sum_program = decltype(gt_sum(1, 0.0));
using gt_hidden_program = decltype(gt_hidden(1, 0.0, 0.0));

/// What a layer learns, or the gradients of it. Shapes: weight [F, 4 * heads * D], the columns of queries, keys, values
/// and skip side by side, query_bias [heads, D], bias [1, heads * D].
template <class T, class Space>
struct gt_parameters {
  matrix_view<T, Space> weight;
  matrix_view<T, Space> query_bias;
  matrix_view<T, Space> bias;

  std::int64_t heads() const { return query_bias.rows; }
  std::int64_t channels() const { return query_bias.cols; }
  std::int64_t width() const { return heads() * channels(); }
};

/// What a graph transformer layer's programs read (projected_layer.hpp).
struct gt_formula {
  static constexpr char const* name = "gt_layer";
  template <class T, class Context>
  using graph_type = square_graph<Context>;
  template <class T, class Space>
  using parameters_type = gt_parameters<T, Space>;

  template <class Parameters>
  static void require(Parameters const& parameters) {
    require_shape("gt_layer: weight", parameters.weight, parameters.weight.rows, 4 * parameters.width());
    require_shape("gt_layer: bias", parameters.bias, 1, parameters.width());
  }
  template <class Parameters, class Gradients, class Use>
  static void for_each(Parameters const& parameters, Gradients const& gradients, Use const& use) {
    use("query_bias", parameters.query_bias, gradients.query_bias);
    use("bias", parameters.bias, gradients.bias);
  }

  template <class Program, class Graph, class Matrix, class Parameters>
  static auto bind_all(Graph const&, Matrix const& packed, Parameters const& parameters,
                       layer_dropouts const& dropouts) {
    using namespace gt_operand;
    auto const with = [&](auto const&... drop) {
      return bindings(bind<query>(part(packed, 0, parameters)), bind<key>(part(packed, 1, parameters)),
                      bind<value>(part(packed, 2, parameters)), bind<skip>(part(packed, 3, parameters)),
                      bind<query_bias>(detail::rows_of_heads(parameters.query_bias, parameters)),
                      bind<bias>(detail::rows_of_heads(parameters.bias, parameters)),
                      bind<drop_attention>(dropouts.attention), drop...);
    };
    if constexpr (std::is_same_v<Program, gt_hidden_program>) {
      return with(bind<drop>(dropouts.result));
    } else {
      return with();
    }
  }
  template <class Matrix, class Gradients, class Call>
  static void with_gradients(Matrix const& packed, Gradients const& gradients, Call const& call) {
    using namespace gt_operand;
    call(grad<query>(part(packed, 0, gradients)), grad<key>(part(packed, 1, gradients)),
         grad<value>(part(packed, 2, gradients)), grad<skip>(part(packed, 3, gradients)),
         grad<query_bias>(detail::rows_of_heads(gradients.query_bias, gradients)),
         grad<bias>(detail::rows_of_heads(gradients.bias, gradients)));
  }

private:
  // The `index`-th of the four parts of packed rows [V, 4 * heads * D], in place.
  template <class T, class Space, class Parameters>
  static auto part(matrix_view<T, Space> packed, std::int64_t index, Parameters const& parameters) {
    return wide(packed.data + index * parameters.width(), packed.rows, static_cast<std::int32_t>(parameters.heads()),
                static_cast<std::int32_t>(parameters.channels()), packed.cols);
  }
};

/// y = program(x W, parameters), with `Program` one of `gt_sum(D, q)` and `gt_hidden(D, q, p)`. One product gives
/// queries, keys, values and skip as packed rows, which the program reads, and whose gradients it writes, in place.
/// Source: Shi et al. 2021, arXiv:2009.03509 (UniMP), equations 3 and 4 without edge features.
template <class T, class Context, class Program>
using gt_layer = projected_layer<T, Context, gt_formula, Program>;

}  // namespace edgewise::models
