// Plans of edge programs over grouped edges: scatter(message), one row of output an edge.
#pragma once

#include <edgewise/core/extents.hpp>
#include <edgewise/engine/concept.hpp>
#include <edgewise/explain/edge_explain.hpp>
#include <edgewise/fields/edge_traits.hpp>
#include <edgewise/pass/pass_sizes.hpp>
#include <edgewise/pass/pass_traits.hpp>
#include <edgewise/pass/store_pass.hpp>
#include <edgewise/plan/capacity.hpp>
#include <edgewise/plan/check_arrays.hpp>
#include <edgewise/plan/plan.hpp>
#include <edgewise/plan/plan_memory.hpp>
#include <edgewise/program/row_bytes.hpp>
#include <edgewise/schedule/sizing.hpp>

namespace edgewise {

namespace detail {

/// Where a forward pass keeps fields of types S, as `saved_state::fill` takes it.
template <class Saved>
struct edges_kept;
template <class... S>
struct edges_kept<type_list<S...>> {
  struct unit {
    pack<S*...> data;
  };
  pack<unit> saved;
};

template <class Graph>
inline constexpr bool is_grouped = true;
template <class Index, class Offset>
inline constexpr bool is_grouped<graph<coo_view<Index, Offset>>> = false;

}  // namespace detail

/// A program of edges planned for a graph grouped by destination, and by source where gradients of sources are asked
/// for. The same interface as other plans. Forward is one traversal by destination that stores the message of each
/// edge; backward the traversals that gathers have, with the output's adjoint read by edge. Nothing is saved.
/// Softmax takes one more traversal by destination before: forward for the normalizer of each row, which is saved,
/// backward for the inner product of values and adjoints.
/// Determinism: the same bits always. Source: gSDDMM (Wang et al. 2019, arXiv:1909.01315); MLSys'22, section 2.1,
/// Scatter, ApplyEdge and ReduceScatter.
template <class Exec, class Graph, class Mapping, class Unit, class Bindings, class Extents>
requires detail::is_grouped<Graph>
class plan<Exec, Graph, Mapping, edge_program<Unit>, Bindings, Extents>
    : public detail::grouped_plan<Exec, Graph, Mapping, Bindings, Extents>,
      public detail::cost_queries<plan<Exec, Graph, Mapping, edge_program<Unit>, Bindings, Extents>> {
  using base = detail::grouped_plan<Exec, Graph, Mapping, Bindings, Extents>;
  using program_type = edge_program<Unit>;
  using graph_traits = detail::graph_traits<Graph>;
  using Offset = typename graph_traits::offset_type;
  using engine = detail::engine<Exec>;
  using leaves = typename program_type::leaves;
  using table = typename detail::operand_table<leaves, Bindings>::type;
  using accumulator = typename detail::table_accumulator<table>::type;
  using traits = detail::edge_traits<program_type, table, Offset, accumulator>;
  using normalizer = typename traits::normalizer;
  using any_store_pass = typename traits::template store_pass_for<accumulator>;  // widths do not depend on the storage
  using base::capacity_;
  using base::check_width;
  using base::counts;
  using base::destinations;
  using base::extents_;
  using base::is_rebuilt_;
  using base::mark_;

public:
  using typename base::policy_type;
  using saved_type = detail::saved_state<traits, typename Exec::space>;
  using base::backward;
  using base::forward;

  plan(Exec const& exec, Graph const& graph, Mapping const& mapping, program_type const& program, Bindings const& in,
       detail::sizing size, policy_type const* policy = nullptr, detail::same_edges edges = detail::same_edges::checked)
      : base(exec, graph, checked_extents(graph, in), size), program_(program) {
    check_width(make_normalizer_pass(in, nullptr));
    any_store_pass pass{};
    check_width(detail::ready_pass<any_store_pass>{pass, detail::fill_operands<table>(pass.operands, in)});
    detail::making_call<Exec> call(mark_, exec, "plan");
    this->check_arrays(call, leaves{}, in);
    this->template check_edges<typename program_type::leaves>(exec, edges, detail::edge_identity::endpoints_and_id);
    this->make_schedules(exec, mapping, policy, uses(graph, in));
    memory_ = detail::plan_memory<Exec>(exec, memory_sizes());
  }

  /// As of other plans.
  static detail::grouping_uses uses(Graph const& graph, Bindings const& in) {
    any_store_pass pass{};
    detail::row_extents const extents = checked_extents(graph, in);
    int const chunk = detail::fill_operands<table>(pass.operands, in);
    return uses_of(graph_traits::counts(graph), extents,
                   engine::template groups_of<any_store_pass, Extents>(extents, chunk));
  }

  /// As of other plans.
  void rebuild(Exec const& exec, Graph const& graph) { this->take(exec, checked(graph)); }

  /// Bytes of the plan's own scratch memory.
  std::size_t workspace_bytes() const { return memory_.size_bytes(); }

  /// Memory for what `forward` keeps for `backward`, from the resource of `exec`: a number a row and score of a
  /// softmax, else none.
  saved_type make_saved(Exec const& exec) const {
    detail::making_call<Exec> const call(mark_, exec, "make_saved");
    return saved_type(mark_, capacity_, extents_, engine::memory(exec), detail::stream_of(exec));
  }

  /// What runs and what it costs, as text.
  std::string explain() const {
    return detail::explain_edges<table, traits>(program_, counts(), graph_traits::has_source, extents_, Mapping::name,
                                                workspace_bytes(), launches(), this->schedule_text(tile()), cost()) +
           this->policy_text();
  }
  /// As of other plans.
  std::string explain(machine_ceilings const& machine, pass_times const& measured = {}) const {
    return explain() + detail::explain_bounds(cost(), machine, measured);
  }

  /// out = the message of every edge. Shapes: those of `plan`, out [edges, ...] of the message's kind, row e of the
  /// edge whose id is e. Throws `invalid_argument` where a shape differs from the plan's, `saved` is another plan's, or
  /// out shares memory with an operand.
  template <class OutView>
  void forward(Exec const& exec, Bindings const& in, output<OutView> const& result) const {
    run_forward(exec, in, result, nullptr);
  }
  /// The same, and `backward` may follow.
  template <class OutView>
  void forward(Exec const& exec, Bindings const& in, output<OutView> const& result, saved_type& saved) const {
    run_forward(exec, in, result, &saved);
  }

  /// Gradients of the operands asked for, given the adjoint of the output, [edges, ...] by edge id: overwritten, or
  /// added to with `accumulate`. A tensor bound in several roles gets one gradient, destination side first. Shapes:
  /// each gradient has its operand's shape. Throws `invalid_argument` where one differs or is no array of its own,
  /// where rows are too wide for a sum that a gradient needs, and where no forward of this plan took `saved`.
  template <class GradView, detail::gradient_argument... Request>
  void backward(Exec const& exec, Bindings const& in, saved_type const& saved,
                output_gradient<GradView> const& gradient, Request const&... requests) const {
    using plan_type = detail::gradient_plan<program_type, table, Request...>;
    static_assert(detail::require_gradients<plan_type, graph_traits::has_source>::ok);
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
    auto const inner = make_inner_pass(in, saved, gradient);
    auto const at_destinations = make_backward_pass<plan_type, role::destination>(in, saved, gradient, requests...);
    auto const at_sources = make_backward_pass<plan_type, role::source>(in, saved, gradient, requests...);
    check_width(inner);
    check_width(at_destinations);
    check_width(at_sources);
    run(exec, inner);
    run(exec, at_destinations);
    if constexpr (plan_type::runs_source) this->run_by_source(exec, at_sources, memory_.view(row_field_bytes()));
  }

private:
  friend detail::cost_queries<plan>;
  detail::program_cost<Graph, program_type, Bindings> cost() const { return {this->graph_, extents_}; }

  static Graph const& checked(Graph const& graph) {
    detail::require_same_counts(graph);
    return graph;
  }
  /// Heads and lanes of the operands; the graph is checked first.
  static detail::row_extents checked_extents(Graph const& graph, Bindings const& in) {
    checked(graph);
    return detail::check_static_extents<Extents>(detail::check_operands<leaves>(in, graph_traits::counts(graph)));
  }

  /// Elements of aligned rows that the forward pass takes at a time.
  std::int64_t tile() const { return is_softmax ? detail::no_bound : this->template tile_of_pass<any_store_pass>(); }
  /// Of a traversal by destination: tiles that add up are launches of their own, where rows are aligned and the output
  /// is stored as it is summed, which is not known before a call.
  int launches() const {
    bool const adds = engine::cuts_rows && any_store_pass::adds_up_tiles && tile() < detail::no_bound;
    return this->traversal_launches(tile()) * (adds ? detail::ceil_div(extents_.lanes, static_cast<int>(tile())) : 1);
  }

  /// The memory of an output, a row an edge, is more than one slot a row takes. Gradients of inner products are
  /// weighted sums of rows, which may be taken in tiles; by source they would read the output's adjoint by id for each.
  /// The inner products themselves need rows whole, and in partitions where those pay.
  static detail::grouping_uses uses_of(detail::graph_counts counts, detail::row_extents extents,
                                       detail::group_kinds groups) {
    constexpr bool are_products = detail::unit_sums_lanes<Unit> && !detail::pull_sums_lanes<Unit, type_list<>>;
    using backward_table = typename traits::template backward_table<accumulator>;
    constexpr bool adds_up = !is_softmax && any_store_pass::adds_up_tiles && !detail::is_static_extents<Extents>;
    // A softmax and its normalizers, which keep all threads, are to sum scores alike.
    int const half = is_softmax ? 0 : groups.half;
    return {
        .of_destinations = {.gathered_bytes =
                                detail::bytes_of_tile(detail::bound_in_role<role::source, table>{}, extents),
                            .most_slots = counts.destinations,
                            .tile_elements =
                                are_products && extents.heads == 1 ? detail::elements_of_tile(extents.lanes) : 0,
                            .narrow_tile = detail::any_float16<table> ? 2 * least_tile : least_tile,
                            .contraction_elements = adds_up && extents.heads == 1 ? extents.lanes : 0,
                            .reads_edges = true,
                            .groups = {.half = half}},
        .of_sources = {
            .gathered_bytes = detail::bytes_of_tile(detail::bound_in_role<role::destination, table>{}, extents),
            .most_slots = counts.sources,
            .edge_bytes = detail::bytes_within_sectors(detail::bound_in_role<role::edge, backward_table>{}, extents),
            .groups = {.half = half}}};
  }

  static constexpr bool is_softmax = Unit::is_softmax;

  /// Elements of a row of what a softmax knows of it.
  std::int64_t row_elements() const { return detail::elements_of_kind(traits::row_kind, extents_); }
  template <class Field>
  std::int32_t row_bytes() const {
    return static_cast<std::int32_t>(row_elements() * static_cast<std::int64_t>(sizeof(Field)));
  }
  /// At the beginning of the scratch memory: normalizers that nobody keeps, or inner products. Slots come behind.
  std::size_t row_field_bytes() const {
    if (!is_softmax) return 0;
    return detail::padded_elements(static_cast<std::size_t>(capacity_.destinations), row_elements()) *
           sizeof(normalizer);
  }
  template <class Field>
  Field* row_field() const {
    return reinterpret_cast<Field*>(memory_.view(0).slots);
  }

  detail::plan_memory_sizes memory_sizes() const {
    auto const bytes_of = [&](auto bounds) {
      return static_cast<std::size_t>(detail::sums_bytes<accumulator>(bounds, extents_));
    };
    auto const larger = [](std::size_t a, std::size_t b) { return a > b ? a : b; };
    auto const sized = [](std::size_t rows, std::size_t of_row) {
      return static_cast<std::size_t>(detail::size_of_array(rows, of_row));
    };
    std::size_t const destination_slots = this->destination_slots();
    std::size_t const source_slots = this->source_slots();
    std::size_t destination_bytes = bytes_of(detail::bound_in_role<role::destination, table>{});
    if constexpr (is_softmax) {
      auto const forward_bytes = detail::slot_bytes<typename traits::normalizer_pass>(extents_);
      destination_bytes = larger(destination_bytes, static_cast<std::size_t>(forward_bytes));
      destination_bytes = larger(destination_bytes, bytes_of(typename traits::backward_fields{}));
    }
    return {.scratch =
                row_field_bytes() + larger(sized(destination_slots, destination_bytes),
                                           sized(source_slots, bytes_of(detail::bound_in_role<role::source, table>{}))),
            .num_counters =
                sized(larger(destination_slots, source_slots), static_cast<std::size_t>(detail::most_tiles(extents_))),
            .partials = bytes_of(detail::bound_in_role<role::parameter, table>{}) *
                        static_cast<std::size_t>(engine::num_partials)};
  }

  template <class Ready>
  void run(Exec const& exec, Ready const& ready) const {
    this->run_by_destination(exec, ready, memory_.view(row_field_bytes()));
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
    detail::ready_pass<typename traits::template store_pass_for<typename OutView::value_type>> ready;
    auto& pass = ready.pass;
    pass.program = detail::store_program(program_);
    ready.chunk = detail::smaller(detail::fill_operands<table>(pass.operands, in), detail::chunk_of(result.view));
    pass.out = result.view.data;
    pass.out_row_stride = result.view.row_stride;
    check_width(ready);
    detail::edges_kept<typename traits::saved> kept{};
    if (saved) saved->fill(kept, result.view);
    auto* normalizers = row_field<normalizer>();
    if constexpr (is_softmax) {
      if (saved) normalizers = get<0>(get<0>(kept.saved).data);
    }
    fill_row_fields(pass.operands, typename traits::forward_fields{}, normalizers);
    run(exec, make_normalizer_pass(in, normalizers));
    run(exec, ready);
    if (saved) saved->keep();
  }

  /// Points leaves at what is known of rows, in the order of Bound.
  template <class Pointers, class... Bound, class... Field>
  void fill_row_fields(Pointers& pointers, type_list<Bound...>, Field*... field) const {
    if constexpr (is_softmax) {
      ((pointers.template of<Bound>() = {field, row_bytes<Field>()}), ...);
    }
  }

  auto make_normalizer_pass(Bindings const& in, normalizer* normalizers) const {
    if constexpr (!is_softmax) {
      return detail::no_pass{};
    } else {
      constexpr bool narrowed = detail::has_own_extents<typename traits::score_table>;
      detail::score_pass<typename traits::normalizer_pass, std::conditional_t<narrowed, any_extents, Extents>> ready;
      ready.extents = detail::score_extents<traits::row_kind, typename traits::score_table>(extents_);
      ready.pass.program = detail::normalizer_program(get<0>(program_.units).score);
      ready.chunk = detail::fill_operands<typename traits::score_table>(ready.pass.operands, in);
      ready.pass.out = normalizers;
      ready.pass.out_row_stride = row_elements();
      ready.pass.num_edges = destinations().num_edges;
      return ready;
    }
  }

  template <class GradView>
  auto make_inner_pass(Bindings const& in, saved_type const& saved, output_gradient<GradView> const& gradient) const {
    if constexpr (!is_softmax) {
      return detail::no_pass{};
    } else {
      using inner = detail::inner_products<Unit, traits, element_of<GradView>>;
      detail::ready_pass<typename inner::pass_type> ready;
      auto const& unit = get<0>(program_.units);
      ready.pass.program = detail::inner_program(unit.score, unit.value);
      ready.chunk = fill_backward_operands(ready.pass.operands, in, saved, gradient);
      auto& to = ready.pass.gradients.template of<typename inner::target>();
      to.data = row_field<accumulator>();
      to.row_stride = row_elements();
      return ready;
    }
  }

  template <class Plan, role Fixed, class GradView, class... Request>
  auto make_backward_pass(Bindings const& in, saved_type const& saved, output_gradient<GradView> const& gradient,
                          Request const&... requests) const {
    if constexpr (!(Fixed == role::destination ? Plan::runs_destination : Plan::runs_source)) {
      return detail::no_pass{};
    } else {
      using targets = typename Plan::template targets<Fixed>;
      using backward_table = typename traits::template backward_table<element_of<GradView>>;
      using pass_type = detail::backward_pass<program_type, backward_table, targets, Fixed, Offset, accumulator>;
      detail::ready_pass<pass_type> ready;
      ready.pass.program = program_;
      int const chunk = fill_backward_operands(ready.pass.operands, in, saved, gradient);
      constexpr detail::stage now = Fixed == role::destination ? detail::stage::destination : detail::stage::source;
      ready.chunk =
          detail::smaller(chunk, Plan::template fill_gradients<now, targets>(ready.pass.gradients, requests...));
      return ready;
    }
  }

  template <class View>
  using element_of = std::remove_const_t<typename View::value_type>;

  /// Operands, the output's adjoint and what is known of rows; returns the longest chunk that all of them allow.
  template <class Pointers, class GradView>
  int fill_backward_operands(Pointers& pointers, Bindings const& in, saved_type const& saved,
                             output_gradient<GradView> const& gradient) const {
    using gradient_bound = typename traits::template gradient_bound<element_of<GradView>>;
    pointers.template of<gradient_bound>() = detail::operand_pointer_of<gradient_bound>(gradient.view);
    fill_row_fields(pointers, typename traits::backward_fields{},
                    static_cast<normalizer const*>(saved.template field<0, 0>()),
                    static_cast<accumulator const*>(row_field<accumulator>()));
    return detail::smaller(detail::fill_operands<table>(pointers, in), detail::chunk_of(gradient.view));
  }

  program_type program_;
  detail::plan_memory<Exec> memory_;
};

}  // namespace edgewise
