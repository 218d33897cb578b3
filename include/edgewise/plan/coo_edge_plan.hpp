// Plans of edge programs over edges that are not grouped.
#pragma once

#include <edgewise/core/extents.hpp>
#include <edgewise/pass/coo_store_pass.hpp>
#include <edgewise/plan/capacity.hpp>
#include <edgewise/plan/check_arrays.hpp>
#include <edgewise/plan/edge_plan.hpp>
#include <edgewise/plan/scatter_plan.hpp>
#include <edgewise/program/row_bytes.hpp>
#include <edgewise/schedule/sizing.hpp>

namespace edgewise {

/// scatter(message) planned for `graph{coo}`; the interface of other plans. Forward is one traversal of equal shares of
/// edges, backward one for all gradients. A softmax takes two more before (largest scores, sums of weights), and one
/// before backward (inner products of values and adjoints); the normalizers of each destination are saved.
/// Determinism: on the CPU always the same bits. On a GPU sums over the edges of an endpoint are added by atomics and
/// differ in rounding from run to run: gradients of endpoints, and with a softmax all that its weights enter. Without
/// one, values and gradients of edges and parameters are the same bits always.
template <class Exec, class Index, class Offset, class Unit, class Bindings, class Extents>
class plan<Exec, graph<coo_view<Index, Offset>>, edge_balanced, edge_program<Unit>, Bindings, Extents>
    : detail::call_advice<Exec, Bindings> {
  using coo_type = coo_view<Index, Offset>;
  using graph_type = graph<coo_type>;
  using program_type = edge_program<Unit>;
  using engine = detail::engine<Exec>;
  using scatter_engine = detail::scatter_engine<Exec>;
  using leaves = typename program_type::leaves;
  using table = typename detail::operand_table<leaves, Bindings>::type;
  using accumulator = typename detail::table_accumulator<table>::type;
  using traits = detail::edge_traits<program_type, table, Offset, accumulator>;
  using staging_type = detail::scatter_staging<Exec, program_type, table, accumulator>;
  template <class Out>
  using store_pass_for = detail::coo_store_pass<program_type, table, accumulator, Out>;
  static constexpr bool is_softmax = Unit::is_softmax;
  using softmax_steps = detail::scatter_softmax<Exec, program_type, table, traits, detail::softmax_step::edges>;

public:
  using saved_type = detail::saved_state<traits, typename Exec::space>;
  using detail::call_advice<Exec, Bindings>::forward;
  using detail::call_advice<Exec, Bindings>::backward;

  plan(Exec const& exec, graph_type const& g, edge_balanced const&, program_type const& program, Bindings const& in,
       detail::sizing size)
      : mark_(detail::place_plan(exec)),
        coo_(g.first),
        program_(program),
        extents_(detail::check_static_extents<Extents>(detail::check_operands<leaves>(in, counts()))),
        capacity_(counts()),
        size_(size) {
    operand_pointers<table> pointers{};
    check_forward_width<accumulator>(detail::fill_operands<table>(pointers, in));
    detail::making_call<Exec> call(mark_, exec, "plan");
    if (size_ == detail::sizing::exact) detail::check_graph_arrays(call, g);
    detail::check_operand_arrays(call, leaves{}, in);
    auto const parameter_bytes = static_cast<std::size_t>(
        detail::sums_bytes<accumulator>(detail::bound_in_role<role::parameter, table>{}, extents_));
    memory_ = detail::plan_memory<Exec>(
        exec, {.scratch = softmax_bytes(),
               .partials = parameter_bytes * static_cast<std::size_t>(scatter_engine::num_partials)});
    staging_ = staging_type(exec, counts(), extents_, 0);
  }

  /// As of other plans.
  void rebuild(Exec const& exec, graph_type const& g) {
    detail::plan_call<Exec> call(mark_, exec, "rebuild");
    detail::check_capacity(counts_of(g.first), capacity_, size_);
    detail::check_graph_arrays(call, g);
    ++mark_->num_rebuilds;
    coo_ = g.first;
    is_rebuilt_ = true;
  }
  std::size_t workspace_bytes() const { return memory_.size_bytes() + staging_.size_bytes(); }
  saved_type make_saved(Exec const& exec) const {
    detail::making_call<Exec> const call(mark_, exec, "make_saved");
    saved_type saved(mark_, capacity_, extents_, engine::memory(exec), detail::stream_of(exec));
    if constexpr (is_softmax) saved.clear(exec);  // groups of edges read row 0 for an edge that they have not
    return saved;
  }
  std::string explain() const {
    return detail::explain_coo_edges<table, traits>(program_, counts(), extents_, edge_balanced::name,
                                                    workspace_bytes());
  }
  /// As of other plans; for the fewest bytes of each pass, whatever its atomics take besides.
  std::string explain(machine_ceilings const& machine, pass_times const& measured = {}) const {
    using cost = detail::coo_cost<coo_type, program_type, Bindings, traits>;
    auto const saved_bytes = static_cast<double>(detail::normalizer_bytes<traits>(extents_));
    return explain() + detail::explain_bounds(cost{coo_, extents_, saved_bytes}, machine, measured);
  }

  /// out = the message of every edge, [edges, ...] by edge id. Throws as other plans do.
  template <class OutView>
  void forward(Exec const& exec, Bindings const& in, output<OutView> const& result) const {
    run_forward(exec, in, result, nullptr);
  }
  template <class OutView>
  void forward(Exec const& exec, Bindings const& in, output<OutView> const& result, saved_type& saved) const {
    run_forward(exec, in, result, &saved);
  }

  /// Gradients of the operands asked for, given the adjoint of the output, [edges, ...] by edge id.
  template <class GradView, detail::gradient_argument... Request>
  void backward(Exec const& exec, Bindings const& in, saved_type const& saved,
                output_gradient<GradView> const& gradient, Request const&... requests) const {
    using gradients = detail::scatter_gradients<program_type, table, Request...>;
    static_assert(detail::require_gradients<typename gradients::plan_type, true>::ok);
    static_assert(detail::require_output_gradient<GradView, traits::out_kind, accumulator>::ok);
    detail::plan_call<Exec> call(mark_, exec, "backward");
    detail::check_extents<leaves>(in, extents_, counts());
    detail::check_output(gradient.view, extents_, counts().edges, "grad_out", "edges");
    detail::check_gradients<leaves>(gradient.view, in, requests...);
    detail::check_rebuilt(is_rebuilt_, "backward");
    saved.check_filled(mark_, "backward");
    saved.template check_output_type<typename GradView::value_type>("backward");
    detail::check_operand_arrays(call, leaves{}, in);
    detail::check_view_array(call, gradient.view, "grad_out");
    detail::check_gradient_arrays(call, leaves{}, requests...);
    [[maybe_unused]] std::size_t next = 0;
    [&](auto const&... staged) {
      form_gradients(exec, in, saved, gradient, staged...);
      (staging_type::store(exec, staged.view, requests.view, Request::accumulates), ...);
    }(staging_.template stage_gradient<gradients>(requests, next)...);
  }

private:
  /// The traversals. Requests: of tensors that edges add to.
  template <class GradView, class... Request>
  void form_gradients(Exec const& exec, Bindings const& in, saved_type const& saved,
                      output_gradient<GradView> const& gradient, Request const&... requests) const {
    using gradients = detail::scatter_gradients<program_type, table, Request...>;
    using element = std::remove_const_t<typename GradView::value_type>;
    using pass_type = detail::scatter_backward_pass<program_type, typename traits::template backward_table<element>,
                                                    typename gradients::targets, Offset, accumulator>;
    pass_type pass{};
    pass.program = program_;
    int const chunk = detail::smaller(fill_backward_operands(pass.operands, in, saved, gradient),
                                      gradients::fill(pass.gradients, requests...));
    scatter_engine::template check_width<pass_type>(extents_, chunk);
    if constexpr (is_softmax) form_inner_products(exec, in, saved, gradient);
    (clear_for<gradients>(exec, requests), ...);
    scatter_engine::run(exec, pass, coo_, extents_, chunk, memory_.view(0));
  }

  /// Operands, the output's adjoint and what is known of destinations; returns the longest chunk that all of them
  /// allow.
  template <class Pointers, class GradView>
  int fill_backward_operands(Pointers& pointers, Bindings const& in, saved_type const& saved,
                             output_gradient<GradView> const& gradient) const {
    using gradient_bound = typename traits::template gradient_bound<std::remove_const_t<typename GradView::value_type>>;
    pointers.template of<gradient_bound>() = detail::operand_pointer_of<gradient_bound>(gradient.view);
    if constexpr (is_softmax) {
      pointers.template of<typename traits::normalizer_bound>() = {
          static_cast<typename traits::normalizer const*>(saved.template field<0, 0>()),
          saved.template field_row_bytes<0, typename traits::normalizer>()};
      pointers.template of<typename traits::inner_bound>() = {inner_products(),
                                                              saved.template field_row_bytes<0, accumulator>()};
    }
    return detail::smaller(detail::fill_operands<table>(pointers, in), detail::chunk_of(gradient.view));
  }

  /// sum of p * <gradient, value> over the edges of each destination and score, where backward reads it.
  template <class GradView>
  void form_inner_products(Exec const& exec, Bindings const& in, saved_type const& saved,
                           output_gradient<GradView> const& gradient) const {
    using element = std::remove_const_t<typename GradView::value_type>;
    using inner = detail::inner_products<Unit, traits, element>;
    using pass_type =
        detail::scatter_backward_pass<typename inner::program_type, typename traits::template backward_table<element>,
                                      type_list<typename inner::target>, Offset, accumulator>;
    pass_type pass{};
    auto const& unit = get<0>(program_.units);
    pass.program = detail::inner_program(unit.score, unit.value);
    int const chunk = fill_backward_operands(pass.operands, in, saved, gradient);
    auto& to = pass.gradients.template of<typename inner::target>();
    to.data = inner_products();
    to.row_stride = detail::elements_of_kind(traits::row_kind, extents_);
    scatter_engine::template check_width<pass_type>(extents_, chunk);
    std::size_t const bytes = softmax_steps::num_scores(counts(), extents_) * sizeof(accumulator);
    if (bytes > 0) engine::clear(exec, to.data, bytes);
    scatter_engine::run(exec, pass, coo_, extents_, chunk, memory_.view(0));
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
      scatter_engine::template check_width<store_pass_for<Out>>(extents_, chunk);
    }
  }

  static detail::graph_counts counts_of(coo_type const& coo) {
    return {coo.num_destinations(), coo.num_sources(), static_cast<std::int64_t>(coo.num_edges)};
  }
  detail::graph_counts counts() const { return counts_of(coo_); }

  template <class Gradients, class Request>
  void clear_for(Exec const& exec, Request const& request) const {
    if constexpr (Gradients::template clears<Request>) scatter_engine::clear_rows(exec, request.view);
  }

  template <class OutView>
  void run_forward(Exec const& exec, Bindings const& in, output<OutView> const& result, saved_type* saved) const {
    static_assert(detail::require_output<OutView, traits::out_kind, accumulator>::ok);
    detail::plan_call<Exec> call(mark_, exec, "forward");
    detail::check_extents<leaves>(in, extents_, counts());
    detail::check_output(result.view, extents_, counts().edges, "out", "edges");
    detail::check_not_operand<leaves, detail::writes::at_once>(result.view, in);
    detail::check_rebuilt(is_rebuilt_, "forward");
    if (saved) saved->check_maker(mark_, "forward");
    detail::check_operand_arrays(call, leaves{}, in);
    detail::check_view_array(call, result.view, "out");
    operand_pointers<table> pointers{};
    int const chunk = detail::smaller(detail::fill_operands<table>(pointers, in), detail::chunk_of(result.view));
    check_forward_width<typename OutView::value_type>(chunk);
    detail::edges_kept<typename traits::saved> kept{};
    if (saved) saved->fill(kept, result.view);
    if constexpr (is_softmax) {
      softmax_steps::forward(exec, program_, in, result.view, get<0>(get<0>(kept.saved).data), coo_, extents_, chunk,
                             memory_.view(0).slots, memory_.view(0));
    } else {
      store_pass_for<typename OutView::value_type> pass{};
      pass.program = program_;
      pass.operands = pointers;
      pass.out = result.view.data;
      pass.out_row_stride = result.view.row_stride;
      scatter_engine::run(exec, pass, coo_, extents_, chunk, memory_.view(0));
    }
    if (saved) saved->keep();
  }

  detail::shared_place<Exec> mark_;
  coo_type coo_;
  program_type program_;
  detail::row_extents extents_;
  detail::graph_counts capacity_;
  detail::sizing size_;
  bool is_rebuilt_ = size_ == detail::sizing::exact;
  detail::plan_memory<Exec> memory_;
  staging_type staging_;
};

}  // namespace edgewise
