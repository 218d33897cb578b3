// The two-layer graph convolutional network of Kipf & Welling, forward and backward.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <edgewise/core/error.hpp>

#include "models/gcn_layer.hpp"
#include "models/normalized_graph.hpp"
#include "models/parameters.hpp"
#include "models/two_layer_model.hpp"

namespace edgewise::models {

/// Sizes of a two-layer GCN; `dropout` is the probability on the input of both layers.
struct gcn_options {
  std::int64_t num_features;
  std::int64_t num_hidden = 16;
  std::int64_t num_classes;
  double dropout = 0.5;
};

/// The layers of a GCN (two_layer_model.hpp).
template <class T, class Context>
struct gcn_architecture {
  static constexpr char const* name = "gcn";
  using options_type = gcn_options;
  using graph_type = normalized_graph<T, Context>;
  using hidden_layer = gcn_layer<T, Context, gcn_hidden_program>;
  using output_layer = gcn_layer<T, Context, gcn_sum_program>;
  static constexpr std::size_t num_drawn = 1;  // the weight
  static constexpr bool decays_output = false;

  static auto hidden_program(gcn_options const& options) { return gcn_hidden(options.dropout); }
  static auto output_program(gcn_options const&) { return gcn_sum; }

  static void require(gcn_options const& options) {
    if (options.num_features < 1 || options.num_hidden < 1 || options.num_classes < 1) {
      throw invalid_argument(edgewise::detail::text("gcn: ", options.num_features, " features, ", options.num_hidden,
                                                    " hidden and ", options.num_classes,
                                                    " classes: each must be at least 1"));
    }
  }

  static auto hidden_shapes(gcn_options const& options) { return shapes(options.num_features, options.num_hidden); }
  static auto output_shapes(gcn_options const& options) { return shapes(options.num_hidden, options.num_classes); }

  static layer_dropouts hidden_dropouts(random_state const* state) { return {.result = random_numbers(state, 1)}; }
  static layer_dropouts output_dropouts(random_state const*) { return {}; }

private:
  // The shapes of what `gcn_parameters` has.
  static std::array<parameter_shape, 2> shapes(std::int64_t input, std::int64_t output) {
    return {{{input, output}, {1, output}}};
  }
};

/// logits = A drop(relu(A drop(X) W0 + b0)) W1 + b1, with A the normalised adjacency; a layer is one fused program
/// (gcn_layer.hpp). Source: Kipf & Welling 2017, arXiv:1609.02907.
template <class T, class Context>
using gcn = two_layer_model<T, Context, gcn_architecture<T, Context>>;

}  // namespace edgewise::models
