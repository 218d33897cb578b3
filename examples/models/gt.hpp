// A two-layer graph transformer after Shi et al., forward and backward.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <edgewise/core/error.hpp>

#include "models/gt_layer.hpp"
#include "models/parameters.hpp"
#include "models/square_graph.hpp"
#include "models/two_layer_model.hpp"

namespace edgewise::models {

/// Sizes of a two-layer graph transformer. `num_hidden` is the width of each of the first layer's heads, which lie side
/// by side; the second layer has one head. `dropout` is the probability on the input of both layers,
/// `attention_dropout` that on the attention weights of both.
struct gt_options {
  std::int64_t num_features;
  std::int64_t num_heads = 8;
  std::int64_t num_hidden = 8;
  std::int64_t num_classes;
  double dropout = 0.6;
  double attention_dropout = 0.6;
};

/// The layers of a graph transformer (two_layer_model.hpp).
template <class T, class Context>
struct gt_architecture {
  static constexpr char const* name = "gt";
  using options_type = gt_options;
  using graph_type = square_graph<Context>;
  using hidden_layer = gt_layer<T, Context, gt_hidden_program>;
  using output_layer = gt_layer<T, Context, gt_sum_program>;
  static constexpr std::size_t num_drawn = 1;  // the packed weight
  static constexpr bool decays_output = true;

  static auto hidden_program(gt_options const& options) {
    return gt_hidden(options.num_hidden, options.attention_dropout, options.dropout);
  }
  static auto output_program(gt_options const& options) {
    return gt_sum(options.num_classes, options.attention_dropout);
  }

  static void require(gt_options const& options) {
    if (options.num_features < 1 || options.num_heads < 1 || options.num_hidden < 1 || options.num_classes < 1) {
      throw invalid_argument(edgewise::detail::text("gt: ", options.num_features, " features, ", options.num_heads,
                                                    " heads of ", options.num_hidden, " and ", options.num_classes,
                                                    " classes: each must be at least 1"));
    }
  }

  static auto hidden_shapes(gt_options const& options) {
    return shapes(options.num_features, options.num_heads, options.num_hidden);
  }
  static auto output_shapes(gt_options const& options) {
    return shapes(options.num_heads * options.num_hidden, 1, options.num_classes);
  }

  static layer_dropouts hidden_dropouts(random_state const* state) {
    return {.attention = random_numbers(state, 1), .result = random_numbers(state, 2)};
  }
  static layer_dropouts output_dropouts(random_state const* state) { return {.attention = random_numbers(state, 3)}; }

private:
  // The shapes of what `gt_parameters` has.
  static std::array<parameter_shape, 3> shapes(std::int64_t input, std::int64_t heads, std::int64_t channels) {
    return {{{input, 4 * heads * channels}, {heads, channels}, {1, heads * channels}}};
  }
};

/// logits = transform(drop(elu(transform(drop(X))))), where transform is a product and one fused program
/// (gt_layer.hpp). Source: Shi et al. 2021, arXiv:2009.03509 (UniMP), section 3.1, without its gated residuals, layer
/// normalisation and label embedding: each layer is what PyTorch Geometric's TransformerConv is by default.
template <class T, class Context>
using gt = two_layer_model<T, Context, gt_architecture<T, Context>>;

}  // namespace edgewise::models
