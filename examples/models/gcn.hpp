// The two-layer graph convolutional network of Kipf & Welling, forward and backward.
#pragma once

#include <cstddef>
#include <cstdint>

#include <edgewise/core/error.hpp>

#include "models/context.hpp"
#include "models/dropout.hpp"
#include "models/gcn_layer.hpp"
#include "models/initialize.hpp"
#include "models/matrix.hpp"
#include "models/normalized_graph.hpp"
#include "models/parameters.hpp"

namespace edgewise::models {

/// Sizes of a two-layer GCN; `dropout` is the probability on the input of both layers.
struct gcn_options {
  std::int64_t num_features;
  std::int64_t num_hidden = 16;
  std::int64_t num_classes;
  double dropout = 0.5;
};

/// logits = A drop(relu(A drop(X) W0 + b0)) W1 + b1, with A the normalised adjacency; a layer is one fused program
/// (gcn_layer.hpp). Owns parameters, gradients and every intermediate: `forward`, `infer` and `backward` never allocate
/// or synchronise. Source: Kipf & Welling 2017, arXiv:1609.02907.
template <class T, class Context>
class gcn {
public:
  using scalar = T;
  using context_type = Context;
  using space = typename Context::space;
  using graph_type = normalized_graph<T, Context>;
  using options_type = gcn_options;

  /// Parameters are uninitialised until `initialize`. The graph must outlive the model; `state`, in the context's
  /// memory, keys the dropout masks of `forward`. Throws `invalid_argument` on an extent below 1 or a bad probability.
  gcn(Context const& context, graph_type const& graph, gcn_options const& options, random_state const* state)
      : options_(checked(options)),
        num_vertices_(graph.num_vertices()),
        parameters_(context, {{options.num_features, options.num_hidden},
                              {1, options.num_hidden},
                              {options.num_hidden, options.num_classes},
                              {1, options.num_classes}}),
        input_mask_(state, 0, options.dropout),
        hidden_layer_(context, graph, gcn_hidden(options.dropout), parameters_.value(hidden_weight),
                      parameters_.value(hidden_bias), random_numbers(state, 1)),
        output_layer_(context, graph, gcn_sum, parameters_.value(output_weight), parameters_.value(output_bias)),
        input_(make_matrix(context, options.num_features)),
        hidden_(make_matrix(context, options.num_hidden)),
        hidden_gradient_(make_matrix(context, options.num_hidden)),
        logits_(make_matrix(context, options.num_classes)) {}

  /// Glorot-uniform weights and zero biases from `seed`, the same on every device. Synchronises.
  void initialize(Context const& context, std::uint64_t seed) {
    // Dropout draws at steps 0, 1, ...; the last step number is kept for the weights.
    random_state const state{seed, 0xFFFFFFFF};
    context.fill_zero(parameters_.values(), parameters_.size());
    glorot_uniform(context, state, 0, parameters_.value(hidden_weight));
    glorot_uniform(context, state, 1, parameters_.value(output_weight));
  }

  /// The training pass: logits [V, C] of features x [V, F] under dropout; keeps what `backward` needs.
  matrix_view<T const, space> forward(Context const& context, const_matrix_view<T, space> x) {
    require_features(x);
    dropout(context, input_mask_, x, input_.view());
    hidden_layer_.forward(context, input_.view(), hidden_.view());
    output_layer_.forward(context, hidden_.view(), logits_.view());
    return logits_.view();
  }

  /// Logits [V, C] without dropout. Overwrites what `forward` kept.
  matrix_view<T const, space> infer(Context const& context, const_matrix_view<T, space> x) {
    require_features(x);
    hidden_layer_.infer(context, x, hidden_.view());
    output_layer_.infer(context, hidden_.view(), logits_.view());
    return logits_.view();
  }

  /// All parameter gradients from d loss / d logits [V, C], for the last `forward`. Gradients are overwritten.
  void backward(Context const& context, const_matrix_view<T, space> dlogits) {
    require_shape("gcn: dlogits", dlogits, num_vertices_, options_.num_classes);
    output_layer_.backward(context, hidden_.view(), dlogits, parameters_.gradient(output_weight),
                           parameters_.gradient(output_bias));
    output_layer_.input_gradient(context, hidden_gradient_.view());
    hidden_layer_.backward(context, input_.view(), hidden_gradient_.view(), parameters_.gradient(hidden_weight),
                           parameters_.gradient(hidden_bias));
  }

  parameters<T, Context>& all_parameters() { return parameters_; }
  /// How many elements, from the first of `all_parameters` on, the recipe decays: the first layer's.
  std::int64_t num_decayed() const { return (options_.num_features + 1) * options_.num_hidden; }

private:
  // Places in `parameters_`.
  static constexpr std::size_t hidden_weight = 0;  // [F, H]
  static constexpr std::size_t hidden_bias = 1;    // [1, H]
  static constexpr std::size_t output_weight = 2;  // [H, C]
  static constexpr std::size_t output_bias = 3;    // [1, C]

  static gcn_options const& checked(gcn_options const& options) {
    if (options.num_features < 1 || options.num_hidden < 1 || options.num_classes < 1) {
      throw invalid_argument(edgewise::detail::text("gcn: ", options.num_features, " features, ", options.num_hidden,
                                                    " hidden and ", options.num_classes,
                                                    " classes: each must be at least 1"));
    }
    return options;
  }
  matrix<T, space> make_matrix(Context const& context, std::int64_t width) const {
    return {context.template make_buffer<T>(num_vertices_ * width), num_vertices_, width};
  }
  void require_features(matrix_view<T const, space> x) const {
    require_shape("gcn: x", x, num_vertices_, options_.num_features);
  }

  gcn_options options_;
  std::int64_t num_vertices_;
  parameters<T, Context> parameters_;
  dropout_mask<T> input_mask_;
  gcn_layer<T, Context, gcn_hidden_program> hidden_layer_;
  gcn_layer<T, Context, gcn_sum_program> output_layer_;
  matrix<T, space> input_;            // [V, F], the features after dropout
  matrix<T, space> hidden_;           // [V, H], the first layer's output, after dropout
  matrix<T, space> hidden_gradient_;  // [V, H]
  matrix<T, space> logits_;           // [V, C]
};

}  // namespace edgewise::models
