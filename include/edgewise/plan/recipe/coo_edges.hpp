// The recipe of edge programs over edges that are not grouped.
#pragma once

#include <edgewise/core/extents.hpp>
#include <edgewise/pass/coo_store_pass.hpp>
#include <edgewise/plan/recipe/coo_gather.hpp>
#include <edgewise/plan/recipe/rows_edges.hpp>
#include <edgewise/program/row_bytes.hpp>
#include <edgewise/schedule/sizing.hpp>

namespace edgewise::inline v0::detail {

/// scatter(message) over `graph{coo}`. Forward is one traversal of equal shares of edges, backward one for all
/// gradients. A softmax takes two more before (largest scores, sums of weights), and one before backward (inner
/// products of values and adjoints); the normalizers of each destination are saved.
/// Determinism: on the CPU always the same bits. On a GPU sums over the edges of an endpoint are added by atomics and
/// differ in rounding from run to run: gradients of endpoints, and with a softmax all that its weights enter. Without
/// one, values and gradients of edges and parameters are the same bits always.
template <class Exec, class Index, class Offset, class Aggregation, class Bindings, class Extents = any_extents>
class coo_edges : public recipe_base<Exec, graph<coo_view<Index, Offset>>, Bindings> {
  using coo_type = coo_view<Index, Offset>;
  using program_type = edge_program<Aggregation>;
  using base = recipe_base<Exec, graph<coo_type>, Bindings>;
  using base::capacity_;
  using base::extents_;
  using base::graph_;

public:
  using base::counts;
  using leaves = typename program_type::leaves;
  using accumulator = typename table_accumulator<typename operand_table<leaves, Bindings>::type>::type;
  static_assert(require_plain_numbers<accumulator>::ok);

private:
  using engine = detail::engine<Exec>;
  using coo_engine = detail::coo_engine<Exec>;
  using table = typename operand_table<leaves, Bindings>::type;
  using traits = edge_traits<program_type, table, Offset, accumulator>;
  using staging_type = coo_staging<Exec, program_type, table, accumulator>;
  template <class Out>
  using store_pass_for = coo_store_pass<program_type, table, accumulator, Out>;
  static constexpr bool is_softmax = Aggregation::is_softmax;
  using softmax_steps = coo_softmax<Exec, program_type, table, traits, softmax_step::edges>;

public:
  using saved_type = saved_state<traits, typename Exec::space>;
  static constexpr operand_kind out_kind = traits::out_kind;
  static constexpr char const* out_rows_are = "edges";
  template <class Storage>
  using attention = no_attention::refused<Storage>;

  coo_edges(graph<coo_type> const& g, program_type const& program, Bindings const& in, sizing size)
      : base(g, check_static_extents<Extents>(check_operands<leaves>(in, counts_of(g))), size), program_(program) {
    operand_pointers<table> pointers{};
    check_forward_width<accumulator>(fill_operands<table>(pointers, in));
  }
  template <class... How>
  void make(Exec const& exec, Bindings const&, How const&...) {
    auto const parameter_bytes =
        static_cast<std::size_t>(sums_bytes<accumulator>(bound_in_role<role::parameter, table>{}, extents_));
    memory_ = plan_memory<Exec>(
        exec,
        {.scratch = softmax_bytes(), .partials = parameter_bytes * static_cast<std::size_t>(coo_engine::num_partials)});
    staging_ = staging_type(exec, counts(), extents_, 0);
  }

  void rebuild(Exec const&, graph<coo_type> const& g) { this->take(g); }
  std::size_t workspace_bytes() const { return memory_.size_bytes() + staging_.size_bytes(); }
  saved_type saved(Exec const& exec, shared_mark const& mark) const {
    saved_type made(mark, capacity_, extents_, engine::memory(exec), stream_of(exec));
    if constexpr (is_softmax) made.clear(exec);  // groups of edges read row 0 for an edge that they have not
    return made;
  }
  std::string explain() const {
    return explain_coo_edges<table, traits>(program_, counts(), extents_, edge_balanced::name, workspace_bytes());
  }
  template <class F>
  auto with_cost(F const& f) const {
    auto const saved_bytes = static_cast<double>(normalizer_bytes<traits>(extents_));
    return f(coo_cost<coo_type, program_type, Bindings, traits>{coo(), extents_, saved_bytes});
  }

  std::int64_t out_rows() const { return counts().edges; }
  template <class View>
  void check_out_apart(View const& view, Bindings const& in) const {
    check_not_operand<leaves, writes::at_once>(view, in);
  }

  template <class View>
  void forward(Exec const& exec, Bindings const& in, View const& view, saved_type* saved) const {
    operand_pointers<table> pointers{};
    int const chunk = smaller(fill_operands<table>(pointers, in), chunk_of(view));
    check_forward_width<typename View::value_type>(chunk);
    edges_kept<typename traits::saved> kept{};
    if (saved) saved->fill(kept, view);
    if constexpr (is_softmax) {
      softmax_steps::forward(exec, program_, in, view, get<0>(get<0>(kept.saved).data), coo(), extents_, chunk,
                             memory_.view(0).slots, memory_.view(0));
    } else {
      store_pass_for<typename View::value_type> pass{};
      pass.program = program_;
      pass.operands = pointers;
      pass.out = view.data;
      pass.out_row_stride = view.row_stride;
      coo_engine::run(exec, pass, coo(), extents_, chunk, memory_.view(0));
    }
  }

  template <class GradView, class... Request>
  using require_gradients =
      detail::require_gradients<typename coo_gradients<program_type, table, Request...>::plan_type, true>;
  template <class GradView, class... Request>
  void backward(Exec const& exec, Bindings const& in, saved_type const& saved, output_gradient<GradView> const& adjoint,
                Request const&... requests) const {
    staging_.template form_gradients<coo_gradients<program_type, table, Request...>>(
        exec, [&](auto const&... staged) { form_gradients(exec, in, saved, adjoint, staged...); }, requests...);
  }

private:
  coo_type const& coo() const { return graph_.first; }

  /// The traversals. Requests: of tensors that edges add to.
  template <class GradView, class... Request>
  void form_gradients(Exec const& exec, Bindings const& in, saved_type const& saved,
                      output_gradient<GradView> const& gradient, Request const&... requests) const {
    using gradients = coo_gradients<program_type, table, Request...>;
    using element = std::remove_const_t<typename GradView::value_type>;
    using pass_type = coo_backward_pass<program_type, typename traits::template backward_table<element>,
                                        typename gradients::targets, Offset, accumulator>;
    pass_type pass{};
    pass.program = program_;
    int const chunk = smaller(fill_backward_operands(pass.operands, in, saved, gradient),
                              gradients::fill(pass.gradients, requests...));
    coo_engine::template check_width<pass_type>(extents_, chunk);
    if constexpr (is_softmax) form_inner_products(exec, in, saved, gradient);
    (clear_for<gradients>(exec, requests), ...);
    coo_engine::run(exec, pass, coo(), extents_, chunk, memory_.view(0));
  }

  /// Operands, the output's adjoint and what is known of destinations; returns the longest chunk that all of them
  /// allow.
  template <class Pointers, class GradView>
  int fill_backward_operands(Pointers& pointers, Bindings const& in, saved_type const& saved,
                             output_gradient<GradView> const& gradient) const {
    using gradient_bound = typename traits::template gradient_bound<std::remove_const_t<typename GradView::value_type>>;
    pointers.template of<gradient_bound>() = operand_pointer_of<gradient_bound>(gradient.view);
    if constexpr (is_softmax) {
      pointers.template of<typename traits::normalizer_bound>() = {
          static_cast<typename traits::normalizer const*>(saved.template field<0, 0>()),
          saved.template field_row_bytes<0, typename traits::normalizer>()};
      pointers.template of<typename traits::inner_bound>() = {inner_products(),
                                                              saved.template field_row_bytes<0, accumulator>()};
    }
    return smaller(fill_operands<table>(pointers, in), chunk_of(gradient.view));
  }

  /// sum of p * <gradient, value> over the edges of each destination and score, where backward reads it.
  template <class GradView>
  void form_inner_products(Exec const& exec, Bindings const& in, saved_type const& saved,
                           output_gradient<GradView> const& gradient) const {
    using element = std::remove_const_t<typename GradView::value_type>;
    using inner = detail::inner_products<Aggregation, traits, element>;
    using pass_type = coo_backward_pass<typename inner::program_type, typename traits::template backward_table<element>,
                                        type_list<typename inner::target>, Offset, accumulator>;
    pass_type pass{};
    auto const& aggregation = get<0>(program_.aggregations);
    pass.program = inner_program(aggregation.score, aggregation.value);
    int const chunk = fill_backward_operands(pass.operands, in, saved, gradient);
    auto& to = pass.gradients.template of<typename inner::target>();
    to.data = inner_products();
    to.row_stride = elements_of_kind(traits::row_kind, extents_);
    coo_engine::template check_width<pass_type>(extents_, chunk);
    std::size_t const bytes = softmax_steps::num_scores(counts(), extents_) * sizeof(accumulator);
    if (bytes > 0) engine::clear(exec, to.data, bytes);
    coo_engine::run(exec, pass, coo(), extents_, chunk, memory_.view(0));
  }

  /// Backward's inner products lie where forward's words lay.
  accumulator* inner_products() const { return reinterpret_cast<accumulator*>(memory_.view(0).slots); }
  std::size_t softmax_bytes() const {
    if constexpr (is_softmax) return softmax_steps::scratch_bytes(counts(), extents_);
    return 0;
  }
  template <class Out>
  void check_forward_width(int chunk) const {
    if constexpr (is_softmax) {
      softmax_steps::check_width(extents_, chunk);
    } else {
      coo_engine::template check_width<store_pass_for<Out>>(extents_, chunk);
    }
  }

  template <class Gradients, class Request>
  void clear_for(Exec const& exec, Request const& request) const {
    if constexpr (Gradients::template clears<Request>) coo_engine::clear_rows(exec, request.view);
  }

  program_type program_;
  plan_memory<Exec> memory_;
  staging_type staging_;
};

}  // namespace edgewise::inline v0::detail
