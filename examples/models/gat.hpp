// The two-layer graph attention network of Velickovic et al., forward and backward.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <edgewise/core/error.hpp>

#include "models/gat_layer.hpp"
#include "models/parameters.hpp"
#include "models/square_graph.hpp"
#include "models/two_layer_model.hpp"

namespace edgewise::models {

/// Sizes of a two-layer GAT. `num_hidden` is the width of each of the first layer's heads, which lie side by side; the
/// second layer has one head. `dropout` is the probability on the input of both layers, `attention_dropout` that on the
/// attention weights of both.
struct gat_options {
  std::int64_t num_features;
  std::int64_t num_heads = 8;
  std::int64_t num_hidden = 8;
  std::int64_t num_classes;
  double dropout = 0.6;
  double attention_dropout = 0.6;
};

/// The layers of a GAT (two_layer_model.hpp).
template <class T, class Context>
struct gat_architecture {
  static constexpr char const* name = "gat";
  using options_type = gat_options;
  using graph_type = square_graph<Context>;
  using hidden_layer = gat_layer<T, Context, gat_hidden_program>;
  using output_layer = gat_layer<T, Context, gat_sum_program>;
  static constexpr std::size_t num_drawn = 3;  // all but the bias
  static constexpr bool decays_output = true;  // as the authors' program does

  static auto hidden_program(gat_options const& options) {
    return gat_hidden(options.attention_dropout, options.dropout);
  }
  static auto output_program(gat_options const& options) { return gat_sum(options.attention_dropout); }

  static void require(gat_options const& options) {
    if (options.num_features < 1 || options.num_heads < 1 || options.num_hidden < 1 || options.num_classes < 1) {
      throw invalid_argument(edgewise::detail::text("gat: ", options.num_features, " features, ", options.num_heads,
                                                    " heads of ", options.num_hidden, " and ", options.num_classes,
                                                    " classes: each must be at least 1"));
    }
  }

  static auto hidden_shapes(gat_options const& options) {
    return shapes(options.num_features, options.num_heads, options.num_hidden);
  }
  static auto output_shapes(gat_options const& options) {
    return shapes(options.num_heads * options.num_hidden, 1, options.num_classes);
  }

  static layer_dropouts hidden_dropouts(random_state const* state) {
    return {.attention = random_numbers(state, 1), .result = random_numbers(state, 2)};
  }
  static layer_dropouts output_dropouts(random_state const* state) { return {.attention = random_numbers(state, 3)}; }

private:
  // The shapes of what `gat_parameters` has.
  static std::array<parameter_shape, 4> shapes(std::int64_t input, std::int64_t heads, std::int64_t channels) {
    return {{{input, heads * channels}, {heads, channels}, {heads, channels}, {1, heads * channels}}};
  }
};

/// logits = attend(drop(elu(attend(drop(X) W0) + b0)) W1) + b1, where attend is one fused program (gat_layer.hpp).
/// Source: Velickovic et al. 2018, arXiv:1710.10903, section 3.3 (transductive learning).
template <class T, class Context>
using gat = two_layer_model<T, Context, gat_architecture<T, Context>>;

}  // namespace edgewise::models
