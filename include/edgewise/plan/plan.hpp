// Plans: a program on a graph with operands of known kinds and shapes, ready to run forward and backward.
#pragma once

#include <cstdint>
#include <string>

#include <edgewise/core/extents.hpp>
#include <edgewise/core/memory.hpp>
#include <edgewise/core/resources.hpp>
#include <edgewise/engine/concept.hpp>
#include <edgewise/explain/explain.hpp>
#include <edgewise/fields/program_traits.hpp>
#include <edgewise/format/graph.hpp>
#include <edgewise/format/graph_traits.hpp>
#include <edgewise/mapping/concept.hpp>
#include <edgewise/pass/backward_pass.hpp>
#include <edgewise/pass/forward_pass.hpp>
#include <edgewise/pass/vertex_pass.hpp>
#include <edgewise/plan/attention_weights.hpp>
#include <edgewise/plan/capacity.hpp>
#include <edgewise/plan/check_arrays.hpp>
#include <edgewise/plan/cost_queries.hpp>
#include <edgewise/plan/grouped_plan.hpp>
#include <edgewise/plan/picked_gradients.hpp>
#include <edgewise/plan/plan_memory.hpp>
#include <edgewise/plan/plan_sizes.hpp>
#include <edgewise/plan/saved_state.hpp>
#include <edgewise/program/bindings.hpp>
#include <edgewise/program/gradient_plan.hpp>
#include <edgewise/program/row_bytes.hpp>
#include <edgewise/program/shapes.hpp>
#include <edgewise/program/stash.hpp>
#include <edgewise/program/static_extents.hpp>
#include <edgewise/program/sums.hpp>
#include <edgewise/schedule/sizing.hpp>

namespace edgewise {

/// A program planned for one graph, one execution resource and operands of given kinds and shapes. Owns its schedules
/// and workspace, which may go while a pass runs, before or after its streams (core/resources.hpp). On a device the
/// calls run where the plan was made, whichever device is current, and throw `invalid_argument` for streams and arrays
/// of another, and for memory of the host. `forward`, `backward` and `rebuild` are asynchronous on the stream that they
/// are given, allocate nothing on a device and may be captured; one plan must not run on two streams at once, nor may
/// two threads call it at once (which throws). A call that throws `invalid_argument` has written nothing; one from
/// which an exception of a user's function comes has written some of its results. Determinism: the same inputs give the
/// same bits, whatever the stream, the repetition or the number of threads, unless Sums says otherwise
/// (program/sums.hpp).
template <class Exec, class Graph, class Mapping, class Program, class Bindings, class Extents = any_extents,
          class Sums = deterministic>
class plan : public detail::grouped_plan<Exec, Graph, Mapping, Bindings, Extents>,
             public detail::cost_queries<plan<Exec, Graph, Mapping, Program, Bindings, Extents, Sums>> {
  using base = detail::grouped_plan<Exec, Graph, Mapping, Bindings, Extents>;
  using graph_traits = detail::graph_traits<Graph>;
  using Index = typename graph_traits::index_type;
  using Offset = typename graph_traits::offset_type;
  using engine = detail::engine<Exec>;
  using leaves = unique_types<concat_types<typename Program::leaves, typename Program::self_leaves,
                                           detail::operand_leaves<typename Program::epilogue_type>>>;
  using table = typename detail::operand_table<leaves, Bindings>::type;
  using accumulator = typename detail::table_accumulator<table>::type;
  using unit_types = typename Program::unit_types;
  using traits = detail::program_traits<Program, table, Offset, accumulator>;
  using base::capacity_;
  using base::check_width;
  using base::counts;
  using base::destinations;
  using base::extents_;
  using base::graph_;
  using base::is_rebuilt_;
  using base::mark_;
  using base::run_by_destination;
  using base::size_;

public:
  using typename base::policy_type;
  using saved_type = detail::saved_state<traits, typename Exec::space>;
  using base::backward;
  using base::forward;

  plan(Exec const& exec, Graph const& graph, Mapping const& mapping, Program const& program, Bindings const& in,
       detail::sizing size, policy_type const* policy = nullptr, detail::same_edges edges = detail::same_edges::checked)
      : base(exec, graph, checked_extents(graph, in), size),
        program_(program),
        row_bytes_(sizes::row_bytes(counts(), extents_)) {
    check_forward_width(in);
    detail::making_call<Exec> call(mark_, exec, "plan");
    this->check_arrays(call, leaves{}, in);
    this->template check_edges<typename Program::leaves>(exec, edges, detail::identity_in_program<Program>);
    this->make_schedules(exec, mapping, policy, uses(graph, in));
    allocate(exec);
  }

  /// What the passes over each grouping read and keep, for operands of these shapes: what schedules are chosen for.
  static detail::grouping_uses uses(Graph const& graph, Bindings const& in) {
    detail::row_extents const extents = checked_extents(graph, in);
    return sizes::uses(graph_traits::counts(graph), extents,
                       engine::template groups_of<any_forward_pass, Extents>(extents, forward_chunk(in)));
  }

  /// Makes a plan from `plan_for_capacity` one for this graph: other arrays, or other contents of the same ones, of at
  /// most the sizes that it was made for. Asynchronous on the stream of `exec`: launches of the same sizes whatever the
  /// graph, which may be captured together with the conversion before and the passes after. Throws `invalid_argument`
  /// where the graph is larger or the plan was made for one graph.
  void rebuild(Exec const& exec, Graph const& graph) { this->take(exec, checked(graph)); }

  /// Bytes of the plan's own scratch memory.
  std::size_t workspace_bytes() const { return memory_.size_bytes() + picked_.size_bytes(); }

  /// Memory for what `forward` keeps for `backward`, from the resource of `exec`.
  saved_type make_saved(Exec const& exec) const {
    detail::making_call<Exec> const call(mark_, exec, "make_saved");
    return saved_type(mark_, capacity_, extents_, engine::memory(exec), detail::stream_of(exec), sources_to_keep());
  }

  /// What runs and what it costs, as text.
  std::string explain() const {
    return detail::explain_program<table, traits>(program_, counts(), graph_traits::has_source, extents_, Mapping::name,
                                                  workspace_bytes(), this->traversal_launches(tile()),
                                                  this->schedule_text(tile()), cost()) +
           this->policy_text();
  }
  /// The same, and how long each launch of a pass takes at least on a machine with these ceilings: with `saved`, for
  /// all gradients. Given measured times of such passes, how near they come. Throws `invalid_argument` where the copy
  /// bandwidth is not positive.
  std::string explain(machine_ceilings const& machine, pass_times const& measured = {}) const {
    return explain() + detail::explain_bounds(cost(), machine, measured);
  }

  /// out = the program's value. Nothing is kept. Shapes: those of `plan`, out [destinations, ...] of the value's kind
  /// (of several values: expression/concat.hpp).
  /// Operands, outputs and gradients of float, bfloat16 and float16 mix; sums are kept in float, and a stored element
  /// is rounded once. Throws `invalid_argument` where a shape differs from the plan's, `saved` is another plan's, or
  /// out shares memory with an operand that other rows read, or any row where out has several parts.
  template <class OutView>
  void forward(Exec const& exec, Bindings const& in, output<OutView> const& result) const {
    run_forward(exec, in, result, nullptr);
  }
  /// Also keeps in `saved` what `backward` needs; `saved` refers to `result`, which must stay as it is until then.
  template <class OutView>
  void forward(Exec const& exec, Bindings const& in, output<OutView> const& result, saved_type& saved) const {
    run_forward(exec, in, result, &saved);
  }

  /// weights = softmax(score) of every edge, by edge id, of a program with one gather<sum>(softmax(score) * value),
  /// from the normalizers in `saved`: one more traversal by destination. `in`: as it was for `forward`. Shapes: weights
  /// [edges, ...] of the score's kind, mostly per_head. They are the weights before dropout; rows of edges whose
  /// destination has a virtual self edge sum to 1 less that edge's weight, which has no row. Asynchronous, allocates
  /// nothing. Throws `invalid_argument` where a shape differs, where weights share memory with an operand, and where no
  /// forward of this plan filled `saved`.
  template <class OutView>
  void attention_weights(Exec const& exec, Bindings const& in, saved_type const& saved,
                         output<OutView> const& weights) const {
    using attention = detail::attention_weights<Program, table, Offset, accumulator, typename OutView::value_type>;
    static_assert(detail::require_output<OutView, attention::kind, accumulator>::ok);
    detail::plan_call<Exec> call(mark_, exec, "attention_weights");
    detail::check_extents<leaves>(in, extents_, counts());
    detail::check_output(weights.view, extents_, counts().edges, "attention_weights", "edges");
    detail::check_not_operand<leaves, detail::writes::at_once>(weights.view, in);
    detail::check_rebuilt(is_rebuilt_, "attention_weights");
    saved.check_filled(mark_, "attention_weights");
    detail::check_operand_arrays(call, leaves{}, in);
    detail::check_view_array(call, weights.view, "attention_weights");
    using score_table = typename attention::score_table;
    constexpr bool narrowed = detail::has_own_extents<score_table>;
    detail::score_pass<typename attention::pass_type, std::conditional_t<narrowed, any_extents, Extents>> ready;
    ready.extents = detail::score_extents<attention::kind, score_table>(extents_);
    ready.chunk = attention::fill(ready.pass, program_, in, saved, weights.view);
    check_width(ready);
    run_by_destination(exec, ready, memory_.view(0));
  }

  /// Gradients of the operands asked for, given the adjoint of the output: overwritten, or added to with `accumulate`.
  /// A tensor bound in several roles gets one gradient, summed in a fixed order: epilogue, destination side, source
  /// side. Shapes: each gradient has its operand's shape. Throws `invalid_argument` where one differs or is no array of
  /// its own, where rows are too wide for a sum that a gradient needs, where no forward of this plan filled `saved`,
  /// and where the output that filled it was not stored as `gradient` is.
  template <class GradView, detail::gradient_argument... Request>
  void backward(Exec const& exec, Bindings const& in, saved_type const& saved,
                output_gradient<GradView> const& gradient, Request const&... requests) const {
    using plan_type = detail::gradient_plan<Program, table, Request...>;
    using stored = stored_traits<std::remove_const_t<typename GradView::value_type>>;
    using picked = detail::picked_gradients<Exec, Sums, Graph, Program, table, stored, Request...>;
    static_assert(detail::require_gradients < plan_type, graph_traits::has_source || picked::serves > ::ok);
    static_assert(detail::require_output_gradient<GradView, traits::out_kind, accumulator>::ok);
    detail::plan_call<Exec> call(mark_, exec, "backward");
    detail::check_extents<leaves>(in, extents_, counts());
    output_gradient<GradView> const adjoint{traits::with_parts(gradient.view, extents_)};
    check_output(adjoint.view, "grad_out");
    detail::check_gradients<leaves>(adjoint.view, in, requests...);
    detail::check_rebuilt(is_rebuilt_, "backward");
    saved.check_filled(mark_, "backward");
    saved.template check_output_type<typename GradView::value_type>("backward");
    saved.check_output_stays(requests...);
    detail::check_operand_arrays(call, leaves{}, in);
    detail::check_view_array(call, gradient.view, "grad_out");
    detail::check_gradient_arrays(call, leaves{}, requests...);
    // All passes are made and checked before the first one writes.
    auto const fields =
        stored::fields(saved, adjoint.view, prepared(), static_cast<std::size_t>(counts().destinations), extents_);
    auto const at_vertices = make_vertex_pass<plan_type>(in, saved, adjoint, requests...);
    check_width(at_vertices);
    if constexpr (picked::serves) {
      auto const at_picked = picked::make(program_, graph_, extents_, in, saved, fields, requests...);
      if (visits_picked()) {
        run(exec, at_vertices);
        picked::run(exec, at_picked, picked_room(), const_cast<char*>(picked_.data()), requests...);
        return;
      }
    }
    if constexpr (graph_traits::has_source || !plan_type::runs_source) {
      auto at_destinations = make_backward_pass<plan_type, stored, role::destination>(in, saved, fields, requests...);
      bool const takes_stage = !prepare_on_the_way(at_destinations, saved);
      auto const at_sources = make_backward_pass<plan_type, stored, role::source>(in, saved, fields, requests...);
      check_width(at_destinations);
      check_width(at_sources);
      if (takes_stage) run(exec, at_vertices);
      run(exec, at_destinations);
      if constexpr (plan_type::runs_source) this->run_by_source(exec, at_sources, memory_.view(prepared_bytes()));
    }
  }

private:
  /// With an output stored as Out.
  template <class Out>
  using stored_traits = detail::program_traits<Program, table, Offset, accumulator, Out>;
  template <class Out>
  using forward_pass_for = detail::forward_pass<Program, table, Offset, accumulator, Out, traits::is_per_lane>;
  using any_forward_pass = forward_pass_for<accumulator>;  // for what does not depend on the output's storage
  using sizes = detail::plan_sizes<traits, table, any_forward_pass>;

  friend detail::cost_queries<plan>;
  detail::program_cost<Graph, Program, Bindings> cost() const {
    return {graph_, extents_, !has_parts(), visits_picked()};
  }
  /// Are traversals by destination several launches, of partitions?
  bool has_parts() const { return this->traversal_launches(detail::no_bound) > 1; }

  /// The graph itself, where its counts are such that the program can run on it.
  static Graph const& checked(Graph const& graph) {
    detail::require_same_counts(graph);
    if (Program::has_self) detail::require_as_many_sources(graph_traits::counts(graph));
    return graph;
  }
  /// Heads and lanes of the operands; the graph is checked first.
  static detail::row_extents checked_extents(Graph const& graph, Bindings const& in) {
    checked(graph);
    return detail::check_static_extents<Extents>(detail::check_operands<leaves>(in, graph_traits::counts(graph)));
  }

  /// Elements of aligned rows that the forward pass takes at a time.
  std::int64_t tile() const { return this->template tile_of_pass<any_forward_pass>(); }

  void allocate(Exec const& exec) {
    auto const parameter_bytes = static_cast<std::size_t>(
        detail::sums_bytes<accumulator>(detail::bound_in_role<role::parameter, table>{}, extents_));
    auto const larger = [](std::size_t a, std::size_t b) { return a > b ? a : b; };
    auto const bytes_of = [](std::size_t rows, std::int64_t of_row) {
      return static_cast<std::size_t>(detail::size_of_array(rows, of_row));
    };
    std::size_t const slots = this->destination_slots();
    std::size_t const source_slots = this->source_slots();
    // What forward leaves in slots and what backward prepares are never alive together.
    std::size_t const backward_bytes = prepared_bytes() + larger(bytes_of(slots, row_bytes_.destination_slot),
                                                                 bytes_of(source_slots, row_bytes_.source_slot));
    memory_ = detail::plan_memory<Exec>(
        exec, {.scratch = larger(bytes_of(slots, row_bytes_.forward_slot), backward_bytes),
               // A row never has more tiles than it has elements; one counter a slot and tile.
               .num_counters = bytes_of(larger(slots, source_slots), detail::most_tiles(extents_)),
               .partials = parameter_bytes * static_cast<std::size_t>(engine::num_partials)});
    using picked = detail::picked_engine<Exec>;
    picked_ = buffer<char, typename Exec::space>(picked::template bytes<accumulator>(picked_room()),
                                                 engine::memory(exec), detail::stream_of(exec));
    if (picked::is_kept_clear && picked_.size() > 0) engine::clear(exec, picked_.data(), picked_.size_bytes());
  }

  std::size_t prepared_bytes() const { return static_cast<std::size_t>(row_bytes_.prepared); }

  detail::picked_room picked_room() const {
    return detail::room_for_picked<Exec, Sums, Program, table, traits>(capacity_, extents_, graph_traits::has_source);
  }
  bool visits_picked() const {
    return detail::visits_picked<Exec, Sums, Program, table, traits>(capacity_, extents_, graph_traits::has_source);
  }
  /// Where sources of picked edges lie far apart, or cannot be found by the ids of the edges.
  detail::kept_sources sources_to_keep() const {
    if (!visits_picked()) return {};
    bool const far_apart = capacity_.edges >= detail::degree_of_kept_sources * capacity_.destinations;
    bool const has_ids = size_ == detail::sizing::capacity || destinations().edge_ids != nullptr;
    return {far_apart || has_ids ? sizeof(Index) : 0};
  }

  /// What the vertex stage prepares, at the beginning of the scratch memory: backward's slots come behind it.
  accumulator* prepared() const { return reinterpret_cast<accumulator*>(memory_.view(0).slots); }

  template <class View>
  void check_output(View const& view, char const* name) const {
    detail::check_output(view, traits::out_extents(extents_), counts().destinations, name, "destinations",
                         traits::num_parts);
  }
  static int forward_chunk(Bindings const& in) {
    any_forward_pass pass{};
    return detail::fill_operands<table, traits::template reads_gaps<any_forward_pass>>(pass.operands, in);
  }
  /// The output's alignment is not known to a plan: what is refused here no output can save.
  void check_forward_width(Bindings const& in) const {
    engine::template check_width<any_forward_pass, Extents>(extents_, forward_chunk(in));
  }
  /// A pass of backward.
  template <class Ready>
  void run(Exec const& exec, Ready const& ready) const {
    run_by_destination(exec, ready, memory_.view(prepared_bytes()));
  }

  template <class OutView>
  void run_forward(Exec const& exec, Bindings const& in, output<OutView> const& result, saved_type* saved) const {
    static_assert(detail::require_output<OutView, traits::out_kind, accumulator>::ok);
    detail::plan_call<Exec> call(mark_, exec, "forward");
    detail::check_extents<leaves>(in, extents_, counts());
    auto const view = traits::with_parts(result.view, extents_);
    check_output(view, "out");
    constexpr auto written = traits::num_parts == 1 ? detail::writes::after_its_row : detail::writes::at_once;
    detail::check_not_operand<leaves, written>(view, in);
    detail::check_rebuilt(is_rebuilt_, "forward");
    if (saved) saved->check_maker(mark_, "forward");
    detail::check_operand_arrays(call, leaves{}, in);
    detail::check_view_array(call, result.view, "out");
    detail::ready_pass<forward_pass_for<typename OutView::value_type>> ready;
    auto& pass = ready.pass;
    pass.program = program_;
    constexpr bool gaps = traits::template reads_gaps<std::remove_reference_t<decltype(pass)>>;
    ready.chunk =
        detail::smaller(detail::fill_operands<table, gaps>(pass.operands, in), detail::chunk_of_written<gaps>(view));
    pass.out = view.data;
    pass.out_row_stride = view.row_stride;
    pass.num_edges = destinations().num_edges;
    pass.neighbors = destinations().neighbors;
    pass.edge_ids = destinations().edge_ids;
    check_width(ready);
    if (saved) {
      saved->fill(pass, view);
      saved->fill_stash(pass);
    }
    run_by_destination(exec, ready, memory_.view(0));
    if (saved) saved->keep();
  }

  /// Lets the traversal by destination prepare what the stage over vertices would, where it can; rows in partitions
  /// have pieces too short to read the output in each.
  bool prepare_on_the_way(detail::no_pass, saved_type const&) const { return false; }
  template <class Pass>
  bool prepare_on_the_way([[maybe_unused]] detail::ready_pass<Pass>& ready,
                          [[maybe_unused]] saved_type const& saved) const {
    if constexpr (Pass::prepares_inner) {
      if (has_parts()) return false;
      auto& pass = ready.pass;
      using gradient = typename decltype(pass.inner.value)::bound;
      using term = detail::bound_for<typename Pass::inner_leaf, typename Pass::table>;
      pass.inner.value = {static_cast<typename gradient::storage*>(saved.template result<0>()),
                          saved.template result_row_bytes<0>()};
      pass.inner.to = const_cast<accumulator*>(pass.operands.template of<term>().data);
      ready.chunk = detail::smaller(ready.chunk, saved.template chunk_of_result<0>());
      return true;
    } else {
      return false;
    }
  }

  template <class Plan, class GradView, class... Request>
  auto make_vertex_pass(Bindings const& in, saved_type const& saved, output_gradient<GradView> const& gradient,
                        Request const&... requests) const {
    using targets = typename Plan::vertex_targets;
    if constexpr (!traits::template needs_vertex_stage<targets>) {
      return detail::no_pass{};
    } else {
      using element = typename GradView::value_type;  // const
      using stored = stored_traits<std::remove_const_t<element>>;
      using gradients = typename traits::template gradients_stored_as<element>::type;
      using vertex_table = concat_types<table, typename stored::kept_table>;
      using loaded = unique_types<concat_types<typename Plan::vertex_leaves, typename stored::kept_leaves>>;
      using pass_type = detail::vertex_pass<Program, vertex_table, loaded, gradients, targets, Offset, accumulator>;
      detail::ready_pass<pass_type> ready;
      auto& pass = ready.pass;
      pass.program = program_;
      int chunk = detail::fill_operands<table>(pass.operands, in);
      chunk = detail::smaller(chunk, stored::fill_kept(pass.operands, saved));
      pass.num_edges = destinations().num_edges;
      detail::fill_parts(gradients{}, pass.operands, gradient.view, traits::part_elements(extents_));
      chunk = detail::smaller(chunk, detail::chunk_of(gradient.view));
      traits::fill_prepared(pass.prepared, prepared(), static_cast<std::size_t>(counts().destinations), extents_);
      ready.chunk = detail::smaller(
          chunk, Plan::template fill_gradients<detail::stage::vertex, targets>(pass.gradients, requests...));
      return ready;
    }
  }

  template <class Plan, class Stored, role Fixed, class Fields, class... Request>
  auto make_backward_pass(Bindings const& in, saved_type const& saved, Fields const& fields,
                          Request const&... requests) const {
    if constexpr (!(Fixed == role::destination ? Plan::runs_destination : Plan::runs_source)) {
      return detail::no_pass{};
    } else {
      using targets = typename Plan::template targets<Fixed>;
      using backward_table = concat_types<table, typename Stored::field_table, typename traits::stash_table>;
      using pass_type = detail::backward_pass<detail::backward_program_of<Program>, backward_table, targets, Fixed,
                                              Offset, accumulator>;
      detail::ready_pass<pass_type> ready;
      auto& pass = ready.pass;
      pass.program = detail::backward_program(program_);
      constexpr bool gaps = traits::template reads_gaps<pass_type>;
      int chunk = detail::fill_operands<table, gaps>(pass.operands, in);
      chunk = detail::smaller(chunk, Stored::template fill_fields<gaps>(pass.operands, fields));
      chunk = detail::smaller(chunk, saved.read_stash(pass.operands));
      constexpr detail::stage now = Fixed == role::destination ? detail::stage::destination : detail::stage::source;
      ready.chunk =
          detail::smaller(chunk, Plan::template fill_gradients<now, targets, gaps>(pass.gradients, requests...));
      return ready;
    }
  }

  Program program_;
  detail::state_bytes row_bytes_;
  detail::plan_memory<Exec> memory_;
  buffer<char, typename Exec::space> picked_;  ///< sums of gradients along picked edges
};

}  // namespace edgewise
