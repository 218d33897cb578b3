// A node classifier of two layers, forward and backward: what GCN, GAT and the graph transformer share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <edgewise/core/error.hpp>

#include "models/context.hpp"
#include "models/dropout.hpp"
#include "models/initialize.hpp"
#include "models/matrix.hpp"
#include "models/parameters.hpp"
#include "models/projected_layer.hpp"

namespace edgewise::models {

/// logits = output(hidden(drop(x))), each layer a `projected_layer`; the hidden layer's program drops what it gives.
/// `Architecture` says what the layers are (gat.hpp has one):
/// - `name`, for messages, `graph_type`, and `options_type` with `num_features`, `num_classes` and `dropout`;
/// - `hidden_layer`, `output_layer`, and their programs `hidden_program(options)`, `output_program(options)`;
/// - `require(options)` throws `invalid_argument` on an extent below 1;
/// - `hidden_shapes(options)`, `output_shapes(options)`: arrays of the shapes of a layer's parameters, in the order of
///   their aggregate; the first `num_drawn` start as random numbers, the others as 0;
/// - `hidden_dropouts(state)`, `output_dropouts(state)`: the layers' streams of random numbers, from 1 on;
/// - `decays_output`: whether weight decay is for both layers or for the hidden one alone.
///
/// Owns parameters, gradients and every intermediate: `forward`, `infer` and `backward` never allocate or synchronise.
template <class T, class Context, class Architecture>
class two_layer_model {
public:
  using scalar = T;
  using context_type = Context;
  using space = typename Context::space;
  using graph_type = typename Architecture::graph_type;
  using options_type = typename Architecture::options_type;

  /// Parameters are uninitialised until `initialize`. The graph must outlive the model; `state`, in the context's
  /// memory, keys the dropout masks of `forward`. Throws `invalid_argument` on an extent below 1 or a bad probability.
  two_layer_model(Context const& context, graph_type const& graph, options_type const& options,
                  random_state const* state)
      : options_(checked(options)),
        num_vertices_(graph.num_vertices()),
        parameters_(context, all_shapes(options)),
        input_mask_(state, 0, options.dropout),
        hidden_layer_(context, graph, Architecture::hidden_program(options), hidden_values(),
                      Architecture::hidden_dropouts(state)),
        output_layer_(context, graph, Architecture::output_program(options), output_values(),
                      Architecture::output_dropouts(state)),
        input_(make_matrix(context, options.num_features)),
        hidden_(make_matrix(context, hidden_values().width())),
        hidden_gradient_(make_matrix(context, hidden_values().width())),
        logits_(make_matrix(context, options.num_classes)) {}

  /// Glorot-uniform weights ([heads, channels] as one matrix) and zero biases from `seed`, the same on every device.
  /// Synchronises.
  void initialize(Context const& context, std::uint64_t seed) {
    // Dropout draws at steps 0, 1, ...; the last step number is kept for the weights.
    random_state const state{seed, 0xFFFFFFFF};
    context.fill_zero(parameters_.values(), parameters_.size());
    for (std::size_t layer : {std::size_t{0}, num_per_layer}) {
      for (std::size_t place = layer; place < layer + Architecture::num_drawn; ++place) {
        glorot_uniform(context, state, static_cast<std::uint32_t>(place), parameters_.value(place));
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
    require_shape(member{"dlogits"}, dlogits, num_vertices_, options_.num_classes);
    output_layer_.backward(context, hidden_.view(), dlogits, gradients<output_layer>(num_per_layer, places()));
    output_layer_.input_gradient(context, hidden_gradient_.view());
    hidden_layer_.backward(context, input_.view(), hidden_gradient_.view(), gradients<hidden_layer>(0, places()));
  }

  parameters<T, Context>& all_parameters() { return parameters_; }
  /// How many elements, from the first of `all_parameters` on, the recipe decays.
  std::int64_t num_decayed() {
    return Architecture::decays_output ? parameters_.size()
                                       : parameters_.value(num_per_layer).data - parameters_.values();
  }

private:
  using hidden_layer = typename Architecture::hidden_layer;
  using output_layer = typename Architecture::output_layer;
  static constexpr std::size_t num_per_layer =
      decltype(Architecture::hidden_shapes(std::declval<options_type const&>())){}.size();
  using places = std::make_index_sequence<num_per_layer>;

  /// What a message calls a matrix of this model.
  struct member {
    char const* name;
    template <class Stream>
    friend Stream& operator<<(Stream& stream, member const& m) {
      stream << Architecture::name << ": " << m.name;
      return stream;
    }
  };

  static options_type const& checked(options_type const& options) {
    Architecture::require(options);
    return options;
  }
  static std::vector<parameter_shape> all_shapes(options_type const& options) {
    std::vector<parameter_shape> shapes;
    for (parameter_shape const& shape : Architecture::hidden_shapes(options)) shapes.push_back(shape);
    for (parameter_shape const& shape : Architecture::output_shapes(options)) shapes.push_back(shape);
    return shapes;
  }
  matrix<T, space> make_matrix(Context const& context, std::int64_t cols) const {
    return {context.template make_buffer<T>(num_vertices_ * cols), num_vertices_, cols};
  }

  // The parameters of a layer whose first one is at `first` in `parameters_`, and their gradients.
  template <class Layer, std::size_t... I>
  typename Layer::parameters_type values(std::size_t first, std::index_sequence<I...>) {
    return {parameters_.value(first + I)...};
  }
  template <class Layer, std::size_t... I>
  typename Layer::gradients_type gradients(std::size_t first, std::index_sequence<I...>) {
    return {parameters_.gradient(first + I)...};
  }
  typename hidden_layer::parameters_type hidden_values() { return values<hidden_layer>(0, places()); }
  typename output_layer::parameters_type output_values() { return values<output_layer>(num_per_layer, places()); }

  void require_features(matrix_view<T const, space> x) const {
    require_shape(member{"x"}, x, num_vertices_, options_.num_features);
  }

  options_type options_;
  std::int64_t num_vertices_;
  parameters<T, Context> parameters_;  // the hidden layer's, then the output layer's
  dropout_mask<T> input_mask_;
  hidden_layer hidden_layer_;
  output_layer output_layer_;
  matrix<T, space> input_;            // [V, F], the features after dropout
  matrix<T, space> hidden_;           // [V, H], the first layer's output, after dropout
  matrix<T, space> hidden_gradient_;  // [V, H]
  matrix<T, space> logits_;           // [V, C]
};

}  // namespace edgewise::models
