// The two-layer graph attention network of Velickovic et al., forward and backward.
#pragma once

#include <cstddef>
#include <cstdint>

#include <edgewise/core/error.hpp>

#include "models/context.hpp"
#include "models/dropout.hpp"
#include "models/gat_layer.hpp"
#include "models/initialize.hpp"
#include "models/matrix.hpp"
#include "models/parameters.hpp"
#include "models/square_graph.hpp"

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

/// logits = attend(drop(elu(attend(drop(X) W0) + b0)) W1) + b1, where attend is one fused program (gat_layer.hpp). Owns
/// parameters, gradients and every intermediate: `forward`, `infer` and `backward` never allocate or synchronise.
/// Source: Velickovic et al. 2018, arXiv:1710.10903, section 3.3 (transductive learning).
template <class T, class Context>
class gat {
public:
  using scalar = T;
  using context_type = Context;
  using space = typename Context::space;
  using graph_type = square_graph<Context>;
  using options_type = gat_options;

  /// Parameters are uninitialised until `initialize`. The graph must outlive the model; `state`, in the context's
  /// memory, keys the dropout masks of `forward`. Throws `invalid_argument` on an extent below 1 or a bad probability.
  gat(Context const& context, graph_type const& graph, gat_options const& options, random_state const* state)
      : options_(checked(options)),
        num_vertices_(graph.num_vertices()),
        parameters_(context, {{options.num_features, width()},
                              {options.num_heads, options.num_hidden},
                              {options.num_heads, options.num_hidden},
                              {1, width()},
                              {width(), options.num_classes},
                              {1, options.num_classes},
                              {1, options.num_classes},
                              {1, options.num_classes}}),
        input_mask_(state, 0, options.dropout),
        hidden_layer_(context, graph, gat_hidden(options.attention_dropout, options.dropout), values_of(hidden),
                      {.attention = random_numbers(state, 1), .result = random_numbers(state, 2)}),
        output_layer_(context, graph, gat_sum(options.attention_dropout), values_of(output),
                      {.attention = random_numbers(state, 3)}),
        input_(make_matrix(context, options.num_features)),
        hidden_(make_matrix(context, width())),
        hidden_gradient_(make_matrix(context, width())),
        logits_(make_matrix(context, options.num_classes)) {}

  /// Glorot-uniform weights and attention vectors ([heads, lanes] as one matrix) and zero biases from `seed`, the same
  /// on every device. Synchronises.
  void initialize(Context const& context, std::uint64_t seed) {
    // Dropout draws at steps 0, 1, ...; the last step number is kept for the weights.
    random_state const state{seed, 0xFFFFFFFF};
    context.fill_zero(parameters_.values(), parameters_.size());
    for (std::size_t layer : {hidden, output}) {
      for (std::size_t place : {weight, source_attention, destination_attention}) {
        glorot_uniform(context, state, static_cast<std::uint32_t>(layer + place), parameters_.value(layer + place));
      }
    }
  }

  /// The training pass: logits [V, C] of features x [V, F] under dropout; keeps what `backward` needs.
  matrix_view<T const, space> forward(Context const& context, const_matrix_view<T, space> x) {
    require_features(x);
    dropout(context, input_mask_, x, input_.view());
    hidden_layer_.forward(context, input_.view(), hidden_.view());
    output_layer_.forward(context, hidden_.view(), logits_.view());
    return logits_.view();
  }

  /// Logits [V, C] without any dropout. Overwrites what `forward` kept.
  matrix_view<T const, space> infer(Context const& context, const_matrix_view<T, space> x) {
    require_features(x);
    hidden_layer_.infer(context, x, hidden_.view());
    output_layer_.infer(context, hidden_.view(), logits_.view());
    return logits_.view();
  }

  /// All parameter gradients from d loss / d logits [V, C], for the last `forward`. Gradients are overwritten.
  void backward(Context const& context, const_matrix_view<T, space> dlogits) {
    require_shape("gat: dlogits", dlogits, num_vertices_, options_.num_classes);
    output_layer_.backward(context, hidden_.view(), dlogits, gradients_of(output));
    output_layer_.input_gradient(context, hidden_gradient_.view());
    hidden_layer_.backward(context, input_.view(), hidden_gradient_.view(), gradients_of(hidden));
  }

  parameters<T, Context>& all_parameters() { return parameters_; }
  /// How many elements, from the first of `all_parameters` on, the recipe decays: all, as the authors' program does.
  std::int64_t num_decayed() const { return parameters_.size(); }

private:
  // Places in `parameters_`: those of a layer, counted from the layer's first.
  static constexpr std::size_t hidden = 0;
  static constexpr std::size_t output = 4;
  static constexpr std::size_t weight = 0;
  static constexpr std::size_t source_attention = 1;
  static constexpr std::size_t destination_attention = 2;
  static constexpr std::size_t bias = 3;

  static gat_options const& checked(gat_options const& options) {
    if (options.num_features < 1 || options.num_heads < 1 || options.num_hidden < 1 || options.num_classes < 1) {
      throw invalid_argument(edgewise::detail::text("gat: ", options.num_features, " features, ", options.num_heads,
                                                    " heads of ", options.num_hidden, " and ", options.num_classes,
                                                    " classes: each must be at least 1"));
    }
    return options;
  }
  std::int64_t width() const { return options_.num_heads * options_.num_hidden; }
  matrix<T, space> make_matrix(Context const& context, std::int64_t cols) const {
    return {context.template make_buffer<T>(num_vertices_ * cols), num_vertices_, cols};
  }
  gat_parameters<T const, space> values_of(std::size_t layer) {
    return {parameters_.value(layer + weight), parameters_.value(layer + source_attention),
            parameters_.value(layer + destination_attention), parameters_.value(layer + bias)};
  }
  gat_parameters<T, space> gradients_of(std::size_t layer) {
    return {parameters_.gradient(layer + weight), parameters_.gradient(layer + source_attention),
            parameters_.gradient(layer + destination_attention), parameters_.gradient(layer + bias)};
  }
  void require_features(matrix_view<T const, space> x) const {
    require_shape("gat: x", x, num_vertices_, options_.num_features);
  }

  gat_options options_;
  std::int64_t num_vertices_;
  parameters<T, Context> parameters_;
  dropout_mask<T> input_mask_;
  gat_layer<T, Context, gat_hidden_program> hidden_layer_;
  gat_layer<T, Context, gat_sum_program> output_layer_;
  matrix<T, space> input_;            // [V, F], the features after dropout
  matrix<T, space> hidden_;           // [V, heads * H], the first layer's output, after dropout
  matrix<T, space> hidden_gradient_;  // [V, heads * H]
  matrix<T, space> logits_;           // [V, C]
};

}  // namespace edgewise::models
