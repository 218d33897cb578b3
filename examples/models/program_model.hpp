// A model that is one program over a graph.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include <edgewise/edgewise.hpp>

#include "models/context.hpp"
#include "models/dropout.hpp"
#include "models/matrix.hpp"
#include "models/model_operands.hpp"

namespace edgewise::models {

/// logits = program(drop(x), parameters). `Architecture` says what the model is (gatv2.hpp has one):
/// - `name`, for messages, `graph_type<T, Context>`, and `options_type` with `num_features`, `num_classes` and a
/// function
///   `require_sizes(name, options)`, which throws `invalid_argument` (node_options.hpp);
/// - `program(options)`: the expression, of rows of `num_classes` channels;
/// - `operands(options)`: a tuple with one entry for each name of the program (model_operands.hpp);
/// - `input_dropout(options)`: the probability by which elements of x are dropped.
///
/// Owns parameters, gradients and every intermediate: `forward`, `infer` and `backward` never allocate or synchronise.
template <class T, class Context, class Architecture>
class program_model {
public:
  using scalar = T;
  using context_type = Context;
  using space = typename Context::space;
  using graph_type = typename Architecture::template graph_type<T, Context>;
  using options_type = typename Architecture::options_type;

  /// Parameters are 0 until `initialize`. The graph must outlive the model; `state`, in the context's
  /// memory, keys the dropout masks of `forward`. Throws `invalid_argument` on an extent below 1 or a bad probability.
  program_model(Context const& context, graph_type const& graph, options_type const& options, random_state const* state)
      : options_(checked(options)),
        graph_(&graph),
        state_(state),
        operands_(context, Architecture::operands(options)),
        input_mask_(state, 0, Architecture::input_dropout(options)),
        input_(make_matrix(context, options.num_features)),
        logits_(make_matrix(context, options.num_classes)),
        products_(context.make_products()),
        plan_(fuse(graph.view(), automatic{}, Architecture::program(options), products_by(*products_))
                  .plan(context.resource(), operands_.bind_all(graph, input_.view(), state))),
        saved_(plan_.make_saved(context.resource())) {}

  /// Draws the parameters from `seed`, the same on every device. Synchronises.
  void initialize(Context const& context, std::uint64_t seed) { operands_.initialize(context, seed); }

  /// The training pass: logits [V, C] of features x [V, F] under dropout; keeps what `backward` needs.
  matrix_view<T const, space> forward(Context const& context, const_matrix_view<T, space> x) {
    require_features(x);
    dropout(context, input_mask_, x, input_.view());
    plan_.forward(context.resource(), operands_.bind_all(*graph_, input_.view(), state_), out(rows_of(logits_.view())),
                  saved_);
    return logits_.view();
  }

  /// Logits [V, C] without any dropout. Keeps nothing: what the last `forward` kept stays.
  matrix_view<T const, space> infer(Context const& context, const_matrix_view<T, space> x) {
    require_features(x);
    plan_.forward(context.resource(), operands_.bind_all(*graph_, x, nullptr), out(rows_of(logits_.view())));
    return logits_.view();
  }

  /// All parameter gradients from d loss / d logits [V, C], for the last `forward`. Gradients are overwritten.
  void backward(Context const& context, const_matrix_view<T, space> dlogits) {
    require_shape(member{"dlogits"}, dlogits, graph_->num_vertices(), options_.num_classes);
    auto const in = operands_.bind_all(*graph_, input_.view(), state_);
    operands_.with_gradients([&](auto const&... requests) {
      plan_.backward(context.resource(), in, saved_, grad_out(rows_of(dlogits)), requests...);
    });
  }

  /// What runs, and what it costs, as text.
  std::string explain() const { return plan_.explain(); }

  parameters<T, Context>& all_parameters() { return operands_.all_parameters(); }
  /// How many elements, from the first of `all_parameters` on, weight decay is for.
  std::int64_t num_decayed() { return operands_.num_decayed(); }

private:
  using operands_type = model_operands<T, Context, decltype(Architecture::operands(std::declval<options_type>()))>;
  using bindings_type = decltype(std::declval<operands_type&>().bind_all(
      std::declval<graph_type const&>(), std::declval<const_matrix_view<T, space>>(), nullptr));
  using products_type = typename Context::products_type;
  using plan_type =
      decltype(fuse(std::declval<graph_type const&>().view(), automatic{},
                    Architecture::program(std::declval<options_type>()),
                    products_by(std::declval<products_type const&>()))
                   .plan(std::declval<typename Context::resource_type const&>(), std::declval<bindings_type const&>()));

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
    require_sizes(Architecture::name, options);
    return options;
  }
  void require_features(matrix_view<T const, space> x) const {
    require_shape(member{"x"}, x, graph_->num_vertices(), options_.num_features);
  }
  matrix<T, space> make_matrix(Context const& context, std::int64_t cols) const {
    return {context.template make_buffer<T>(graph_->num_vertices() * cols), graph_->num_vertices(), cols};
  }
  /// Rows [V, C] of the kind of the program's value.
  template <class U>
  static auto rows_of(matrix_view<U, space> x) {
    auto const channels = static_cast<std::int32_t>(x.cols);
    if constexpr (plan_type::recipe_type::out_kind == operand_kind::per_channel) {
      return per_channel(x.data, x.rows, channels);
    } else {
      return wide(x.data, x.rows, channels);
    }
  }

  options_type options_;
  graph_type const* graph_;
  random_state const* state_;
  operands_type operands_;
  dropout_mask<T> input_mask_;
  matrix<T, space> input_;                   // [V, F], the features after dropout
  matrix<T, space> logits_;                  // [V, C]
  std::unique_ptr<products_type> products_;  // the plan refers to it
  plan_type plan_;
  typename plan_type::saved_type saved_;
};

}  // namespace edgewise::models
