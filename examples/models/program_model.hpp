// A model that is one program over a graph.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include <edgewise/edgewise.hpp>

#include "models/context.hpp"
#include "models/feature_product.hpp"
#include "models/features_first.hpp"
#include "models/matrix.hpp"
#include "models/model_operands.hpp"

namespace edgewise::models {

/// logits = program(drop(x), parameters). `Architecture` says what the model is (gatv2.hpp has one):
/// - `name`, for messages, `graph_type<T, Context>`, and `options_type` with `num_features`, `num_classes` and a
///   function `require_sizes(name, options)`, which throws `invalid_argument` (node_options.hpp);
/// - `x`, the name of the features [V, F];
/// - `program(options)`: the expression, of rows of `num_classes` channels;
/// - `operands(options)`: a tuple with one entry for each name of the program (model_operands.hpp);
/// - `input_dropout(options)`: the probability by which elements of x are dropped;
/// - `num_hops`: how many layers of neighbors a row of logits depends on, where that is not 2.
///
/// The products of x with matrices, `linear<W>(src<x>)`, are made before the rest, all at once (feature_product.hpp):
/// `Features` may then be sparse.
///
/// Owns parameters, gradients and every intermediate: `forward`, `infer` and `backward` never allocate or synchronise.
/// Where there are several ranks (ranked_context.hpp) rows are those of this rank's vertices, all calls are collective,
/// and parameters and their gradients are the same on all.
template <class T, class Context, class Architecture, class Features = matrix_view<T const, typename Context::space>>
class program_model {
public:
  using scalar = T;
  using context_type = Context;
  using space = typename Context::space;
  using graph_type = typename Architecture::template graph_type<T, Context>;
  using features_type = Features;
  using options_type = typename Architecture::options_type;
  static constexpr char const* architecture_name = Architecture::name;
  static constexpr int num_hops = [] {
    if constexpr (requires { Architecture::num_hops; }) return Architecture::num_hops;
    return 2;
  }();

  /// Parameters are 0 until `initialize`. Graph and features must outlive the model; `state`, in the context's
  /// memory, keys the dropout masks of `forward`. Throws `invalid_argument` on an extent below 1, features of another
  /// shape or a bad probability.
  program_model(Context const& context, graph_type const& graph, Features const& x, options_type const& options,
                random_state const* state)
      : program_model(context, graph, x, options, state, model_for::one_graph,
                      operands_type(context, Architecture::operands(checked(options, graph, x)))) {}

  /// A model with the parameters and gradients of `other`, both models', for every graph that has at most as many
  /// vertices and edges as this one and at most as many features that are not 0: `rebuild` comes before the first pass.
  program_model(Context const& context, graph_type const& largest, Features const& x, program_model const& other)
      : program_model(context, largest, x, checked(other.options_, largest, x), other.state_, model_for::smaller_graphs,
                      other.operands_) {}

  /// Takes a graph in the place of the last one, and its features; both must outlive their passes. Neither allocates
  /// nor synchronises. Throws `invalid_argument` where one is larger than those that the model was made with, and for a
  /// model of one graph; then no pass may follow before a `rebuild` that succeeds.
  void rebuild(Context const& context, graph_type const& graph, Features const& x) {
    checked(options_, graph, x);
    plan_.rebuild(context.resource(), graph.view());
    first_.rebuild(context, x);
    graph_ = &graph;
  }

  /// Draws the parameters from `seed`, the same on every device. Synchronises.
  void initialize(Context const& context, std::uint64_t seed) { operands_.initialize(context, seed); }

  /// The training pass: logits [V, C] under dropout; keeps what `backward` needs.
  matrix_view<T const, space> forward(Context const& context) {
    first_.forward(context, packed_value(), of_graph(product_rows_), true);
    auto const logits = of_graph(logits_);
    plan_.forward(context.resource(), operands_.bind_all(*graph_, rows(true)), out(rows_of(logits)), saved_);
    return logits;
  }

  /// Logits [V, C] without any dropout. What the last `forward` kept is no longer there: `backward` needs another.
  matrix_view<T const, space> infer(Context const& context) {
    first_.forward(context, packed_value(), of_graph(product_rows_), false);
    auto const logits = of_graph(logits_);
    plan_.forward(context.resource(), operands_.bind_all(*graph_, rows(false)), out(rows_of(logits)));
    return logits;
  }

  /// All parameter gradients from d loss / d logits [V, C], for the last `forward`. Gradients are overwritten.
  void backward(Context const& context, const_matrix_view<T, space> dlogits) {
    require_shape(member{"dlogits"}, dlogits, graph_->num_vertices(), options_.num_classes);
    auto const in = operands_.bind_all(*graph_, rows(true));
    operands_.with_gradients(rows(true), [&](auto const&... requests) {
      plan_.backward(context.resource(), in, saved_, grad_out(rows_of(dlogits)), requests...);
    });
    auto const packed = operands_.all_parameters().packed_gradient();
    first_.backward(context, packed_value(), of_graph(product_gradients_), packed);
    sum_packed_(context.resource(), packed.data);  // its rows lie one after the other; the plan has summed the others
    operands_.clear_fixed_gradients(context);
  }

  /// What runs, and what it costs, as text.
  std::string explain() const { return plan_.explain(); }

  parameters<T, Context>& all_parameters() { return operands_.all_parameters(); }
  /// How many elements, from the first of `all_parameters` on, weight decay is for.
  std::int64_t num_decayed() { return operands_.num_decayed(); }

private:
  static auto program(options_type const& options) {
    return features_first<typename Architecture::x>(Architecture::program(options));
  }
  using program_type = decltype(program(std::declval<options_type const&>()));
  using operands_type =
      model_operands<T, Context, decltype(Architecture::operands(std::declval<options_type>())), program_type>;
  using rows_type = typename operands_type::rows_type;
  using bindings_type = decltype(std::declval<operands_type&>().bind_all(std::declval<graph_type const&>(),
                                                                         std::declval<rows_type const&>()));
  using products_type = typename Context::products_type;
  using plan_type =
      decltype(fuse(std::declval<graph_type const&>().view(), automatic{}, std::declval<program_type const&>(),
                    products_by(std::declval<products_type const&>()))
                   .plan(std::declval<typename Context::resource_type const&>(), std::declval<bindings_type const&>()));

  static constexpr bool reads_features = reads<typename Architecture::x, program_type>;
  static constexpr bool has_dense_features = std::is_same_v<Features, matrix_view<T const, space>>;
  static_assert(!reads_features || has_dense_features,
                "program_model: the program reads its features outside of products, `linear<W>(src<x>)`, so they "
                "cannot be sparse");

  program_model(Context const& context, graph_type const& graph, Features const& x, options_type const& options,
                random_state const* state, model_for use, operands_type const& operands)
      : options_(options),
        graph_(&graph),
        state_(state),
        operands_(operands),
        product_rows_(make_matrix(context, operands_.all_parameters().packed_value().cols)),
        product_gradients_(make_matrix(context, product_rows_.cols())),
        logits_(make_matrix(context, options.num_classes)),
        products_(context.make_products()),
        first_(context, x, packed_value(), state, Architecture::input_dropout(options), *products_, use),
        sum_packed_(context.template make_rank_sum<T>(operands_.all_parameters().packed_gradient().size())),
        plan_(make_plan(context, use)),
        saved_(plan_.make_saved(context.resource())) {
    // What lies between packed gradients is not written.
    context.fill_zero(product_gradients_.view().data, product_gradients_.view().size());
  }
  plan_type make_plan(Context const& context, model_for use) {
    auto const in = operands_.bind_all(*graph_, rows(true));
    auto const fused = fuse(graph_->view(), automatic{}, program(options_), products_by(*products_));
    if constexpr (Context::is_ranked) {
      if (use == model_for::smaller_graphs) throw invalid_argument("program_model: ranks have one graph");
      return fused.plan(context.resource(), in);
    } else {
      return use == model_for::one_graph ? fused.plan(context.resource(), in)
                                         : fused.plan_for_capacity(context.resource(), in);
    }
  }

  /// What a message calls a matrix of this model.
  struct member {
    char const* name;
    template <class Stream>
    friend Stream& operator<<(Stream& stream, member const& m) {
      stream << Architecture::name << ": " << m.name;
      return stream;
    }
  };

  static options_type const& checked(options_type const& options, graph_type const& graph, Features const& x) {
    require_sizes(Architecture::name, options);
    std::int64_t rows = 0, cols = 0;
    if constexpr (has_dense_features) {
      rows = x.rows, cols = x.cols;
    } else {
      rows = x.rows(), cols = x.cols();
    }
    require_shape(member{"x"}, matrix_view<T const, space>{nullptr, rows, cols}, graph.num_vertices(),
                  options.num_features);
    return options;
  }
  matrix<T, space> make_matrix(Context const& context, std::int64_t cols) const {
    return {context.template make_buffer<T>(graph_->num_vertices() * cols), graph_->num_vertices(), cols};
  }
  /// The rows of the graph's vertices, where there is room for more.
  matrix_view<T, space> of_graph(matrix<T, space>& m) const {
    return {m.view().data, graph_->num_vertices(), m.cols()};
  }
  parameter_view<T const, space> packed_value() {
    auto const w = operands_.all_parameters().packed_value();
    return {w.data, w.rows, w.cols, w.row_stride};
  }
  /// What a pass binds besides parameters.
  rows_type rows(bool drops) {
    rows_type result{{}, of_graph(product_rows_), drops ? state_ : nullptr, of_graph(product_gradients_)};
    if constexpr (reads_features) result.features = first_.dropped_rows();
    return result;
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
  matrix<T, space> product_rows_;            // [V, columns of all packed matrices]
  matrix<T, space> product_gradients_;       // of the same shape
  matrix<T, space> logits_;                  // [V, C]
  std::unique_ptr<products_type> products_;  // the plans refer to it
  feature_product<T, Context, Features> first_;
  decltype(std::declval<Context const&>().template make_rank_sum<T>(0)) sum_packed_;
  plan_type plan_;
  typename plan_type::saved_type saved_;
};

}  // namespace edgewise::models
