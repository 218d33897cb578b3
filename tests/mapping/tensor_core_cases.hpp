// Programs that tiles take, and how they are run over tiles.
#pragma once

#include <edgewise/expression/activation.hpp>
#include <edgewise/expression/dropout.hpp>
#include <edgewise/expression/functor.hpp>
#include <edgewise/expression/with_self.hpp>
#include <edgewise/gather/sum.hpp>

#include "mapped.hpp"
#include "program/attention_cases.hpp"
#include "program/dropout_cases.hpp"
#include "tiled_edges.hpp"

namespace edgewise::testing {

/// What a run over tiles is asked for.
struct tile_options {
  double least_reuse = 0;  ///< of windows that have tiles
  int max_tiles = 256;     ///< of a window that is not cut
};

/// Runs a case over tiles on a machine.
template <class Case, class Machine, class T>
run_result<T> run_over_tiles(Machine const& machine, run_request<T> const& request, tile_options const& options) {
  constexpr bool reads_tf32 = requires { Case::reads_tf32; };
  using mapping = std::conditional_t<reads_tf32, tensor_core_tf32, tensor_core>;
  return run_program<Case>(machine, request,
                           tiled_edges<mapping>{{.max_tiles = options.max_tiles}, options.least_reuse});
}

using transformer_f16 = stored_as<transformer, float16>;
/// Rows stored as float and multiplied as tf32, which has as many bits as float16; queries stored as float16.
struct transformer_tf32 : stored<transformer, float, float, float16, float, float> {
  using gradient_storage = std::tuple<float16, float, float>;
  static constexpr bool reads_tf32 = true;
  using multiplied_as = float16;
  static constexpr draw values = draw::grid;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>>>;
};
/// One operand is query, key and value.
struct own_attention {
  static constexpr char const* name = "gather<sum>(softmax(dot(dst<h>, src<h>) * 2) * src<h>)";
  static constexpr auto program = gather<sum>(softmax(dot(dst<h>, src<h>) * 2.0) * src<h>);
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands = std::tuple<operand<h, rows_of::vertex, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<added<0>>>;
  static auto reference(auto const& row) {
    auto const score = [](auto const& edge) {
      return edge.sum_channels([](auto const& at) { return at.source(0) * at.destination(0); }) * 2.0;
    };
    return row.softmax_sum(score, [](auto const& edge) { return edge.source(0); });
  }
};
using own_attention_bf16 = stored_as<own_attention, bfloat16>;
/// Scores of endpoints: numbers in float, rows in 16 bits.
struct gat_f16 : stored<gat, float16, float, float, float, float16> {
  using gradient_storage = std::tuple<float, float, float16>;
};
using dot_weighted_sum_f16 = stored_as<dot_weighted_sum, float16>;
/// Sums of small multiples of 1/16 are exact in float, and weights and rows in float16.
using exact_sum_f16 = stored<exact_sum, float, float, float, float16>;
struct exact_sum_tf32 : exact_sum {
  static constexpr bool reads_tf32 = true;
};

/// Attention with a bias of the edge and dropped weights, and a layer around it.
struct biased_attention {
  static constexpr char const* name =
      "tanh(gather<sum>(dropout<drop>(softmax(dot(dst<q>, src<k>) * 0.5 + edge<s>), 0.3) * src<v>) + dst<h>)";
  static constexpr auto program =
      tanh(gather<sum>(dropout<drop>(softmax(dot(dst<q>, src<k>) * 0.5 + edge<s>), 0.3) * src<v>) + dst<h>);
  static constexpr bool has_wide_offsets = true;
  static constexpr random_state random = mask_state;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using masks = std::tuple<mask<drop, 7>>;
  using operands =
      std::tuple<operand<q, rows_of::destination, operand_kind::wide>, operand<k, rows_of::source, operand_kind::wide>,
                 operand<s, rows_of::edge, operand_kind::per_head>, operand<v, rows_of::source, operand_kind::wide>,
                 operand<h, rows_of::destination, operand_kind::wide>>;
  using gradients =
      std::tuple<gradient_set<whole<0>, whole<1>, whole<2>, whole<3>, whole<4>>, gradient_set<whole<2>, added<3>>>;
  static auto reference(auto const& row) {
    auto const score = [](auto const& edge) { return half_dot(edge) + edge(2); };
    auto const value = [](auto const& edge) { return edge(3) * edge_mask_of_head(edge, 7, 0.3); };
    return tanh(row.softmax_sum(score, value) + row(4));
  }
};
struct biased_attention_f16 : biased_attention {
  using storage = std::tuple<float16, float16, float, float16, float16>;
  using out_storage = float16;
  using gradient_storage = storage;
};

/// A mean with self edges below a bias and an activation: rows without edges have one.
struct mean_layer {
  static constexpr char const* name = "relu(gather<mean>(with_self(src<er> * src<h>)) + param<b>)";
  static constexpr auto program = relu(gather<mean>(with_self(src<er> * src<h>)) + param<b>);
  static constexpr bool has_self = true;
  static constexpr draw values = draw::grid;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<er, rows_of::vertex, operand_kind::per_head>, operand<h, rows_of::vertex, operand_kind::wide>,
                 operand<b, rows_of::parameter, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>>>;
  static auto reference(auto const& row) {
    return relu(row.mean([](auto const& edge) { return edge.source(0) * edge.source(1); }) + row(2));
  }
};
struct mean_layer_bf16 : mean_layer {
  using multiplied_as = bfloat16;
  using storage = std::tuple<float, bfloat16, float>;
  using out_storage = float;
  using gradient_storage = storage;
};

/// Small graphs of many tiles in few windows, and of windows of which some are left to their rows.
inline std::vector<test_graph> tiled_graphs() {
  return {no_vertices(),    no_edges(1), no_edges(300),          self_loop(),     multi_edges(), isolated_vertices(),
          border_degrees(), chain(),     bipartite(1, 200, 0.7), random_skewed(), many_edges(),  one_hub()};
}

}  // namespace edgewise::testing
