// One layer of a graph convolutional network: a dense product, then one fused program over the graph.
#pragma once

#include <cstdint>
#include <type_traits>

#include <edgewise/edgewise.hpp>

#include "models/matrix.hpp"
#include "models/normalized_graph.hpp"
#include "models/projected_layer.hpp"

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

/// What a layer learns, or the gradients of it. Shapes: weight [F, D], bias [1, D].
template <class T, class Space>
struct gcn_parameters {
  matrix_view<T, Space> weight;
  matrix_view<T, Space> bias;

  static std::int64_t heads() { return 1; }
  std::int64_t channels() const { return weight.cols; }
  std::int64_t width() const { return weight.cols; }
};

/// What a GCN layer's programs read (projected_layer.hpp).
struct gcn_formula {
  static constexpr char const* name = "gcn_layer";
  template <class T, class Context>
  using graph_type = normalized_graph<T, Context>;
  template <class T, class Space>
  using parameters_type = gcn_parameters<T, Space>;

  template <class Parameters>
  static void require(Parameters const& parameters) {
    require_shape("gcn_layer: bias", parameters.bias, 1, parameters.width());
  }
  template <class Parameters, class Gradients, class Use>
  static void for_each(Parameters const& parameters, Gradients const& gradients, Use const& use) {
    use("bias", parameters.bias, gradients.bias);
  }

  template <class Program, class Graph, class Matrix, class Parameters>
  static auto bind_all(Graph const& graph, Matrix const& projection, Parameters const& parameters,
                       layer_dropouts const& dropouts) {
    using namespace gcn_operand;
    auto const with = [&](auto const&... drop) {
      return bindings(bind<product>(detail::rows_of_heads(projection, parameters)),
                      bind<source_factor>(per_row(graph.source_factor(), graph.num_vertices())),
                      bind<destination_factor>(per_row(graph.destination_factor(), graph.num_vertices())),
                      bind<bias>(detail::rows_of_heads(parameters.bias, parameters)), drop...);
    };
    if constexpr (std::is_same_v<Program, gcn_hidden_program>) {
      return with(bind<drop>(dropouts.result));
    } else {
      return with();
    }
  }
  template <class Matrix, class Gradients, class Call>
  static void with_gradients(Matrix const& projection_gradient, Gradients const& gradients, Call const& call) {
    call(grad<gcn_operand::product>(detail::rows_of_heads(projection_gradient, gradients)),
         grad<gcn_operand::bias>(detail::rows_of_heads(gradients.bias, gradients)));
  }
};

/// y = program(x W, b), with `Program` one of `gcn_sum` and `gcn_hidden(p)`. Source: Kipf & Welling 2017,
/// arXiv:1609.02907.
template <class T, class Context, class Program>
using gcn_layer = projected_layer<T, Context, gcn_formula, Program>;

}  // namespace edgewise::models
