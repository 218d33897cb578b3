// Plans: a program on a graph with operands of known kinds and shapes, ready to run forward and backward.
#pragma once

#include <cstdint>
#include <string>

#include <edgewise/core/memory.hpp>
#include <edgewise/execute/attention_weights.hpp>
#include <edgewise/execute/call_advice.hpp>
#include <edgewise/execute/deal_groupings.hpp>
#include <edgewise/execute/engine.hpp>
#include <edgewise/execute/explain.hpp>
#include <edgewise/execute/picked_gradients.hpp>
#include <edgewise/execute/plan_mark.hpp>
#include <edgewise/execute/saved_state.hpp>
#include <edgewise/format/graph.hpp>
#include <edgewise/kernel/backward_pass.hpp>
#include <edgewise/kernel/forward_pass.hpp>
#include <edgewise/kernel/vertex_pass.hpp>
#include <edgewise/mapping/concept.hpp>
#include <edgewise/program/bindings.hpp>
#include <edgewise/program/gradient_plan.hpp>
#include <edgewise/program/graph_traits.hpp>
#include <edgewise/program/program_traits.hpp>
#include <edgewise/program/shapes.hpp>
#include <edgewise/program/stash.hpp>
#include <edgewise/program/static_extents.hpp>
#include <edgewise/program/sums.hpp>

namespace edgewise {

namespace detail {

/// A pass ready to run, and the lanes of the longest chunk that all its rows allow.
template <class Pass>
struct ready_pass {
  Pass pass{};
  int chunk = longest_chunk;
};
struct no_pass {};
template <class Pass>
inline constexpr bool is_forward_pass = false;
template <class Program, class Table, class Offset, class Accumulator, class Out, bool IsPerLane>
inline constexpr bool is_forward_pass<forward_pass<Program, Table, Offset, Accumulator, Out, IsPerLane>> = true;

/// A pass ready to run over scores alone, which may be of fewer heads and lanes than the program's rows.
template <class Pass, class RowExtents>
struct score_pass {
  Pass pass{};
  int chunk = longest_chunk;
  row_extents extents{};
};

}  // namespace detail

/// A program planned for one graph, one execution resource and operands of given kinds and shapes. Owns its schedules
/// and workspace. `forward`, `backward` and `rebuild` are asynchronous on the stream that they are given, allocate nothing
/// on a device and may be captured; one plan must not run on two streams at once, nor may two threads call it at once
/// (which throws). A call that throws `invalid_argument` has written nothing.
/// Determinism: the same inputs give the same bits, whatever the stream, the repetition or the number of threads, unless
/// Sums says otherwise (program/sums.hpp).
template <class Exec, class Graph, class Mapping, class Program, class Bindings, class Extents = any_extents,
          class Sums = deterministic>
class plan : detail::call_advice<Exec, Bindings> {
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

public:
  using policy_type = schedule_policy<detail::deal_of<Mapping>>;
  using saved_type = detail::saved_state<traits, typename Exec::space>;
  using detail::call_advice<Exec, Bindings>::forward;
  using detail::call_advice<Exec, Bindings>::backward;

  plan(Exec const& exec, Graph const& graph, Mapping const& mapping, Program const& program, Bindings const& in,
       detail::sizing size, policy_type const* policy = nullptr)
      : graph_(checked(graph)), program_(program), extents_(detail::check_static_extents<Extents>(detail::check_operands<leaves>(in, graph_traits::counts(graph)))),
        capacity_(graph_traits::counts(graph)), size_(size) {
    check_forward_width(in);
    policy_ = policy ? *policy : detail::deal_groupings(exec, mapping, graph_, size);
    by_destination_ = engine::make_schedule(exec, policy_.by_destination, graph_traits::by_destination(graph_), size);
    if constexpr (graph_traits::has_source) {
      by_source_ = engine::make_schedule(exec, policy_.by_source, graph_traits::by_source(graph_), size);
    }
    allocate(exec);
  }

  /// Makes a plan from `plan_for_capacity` one for this graph: other arrays, or other contents of the same ones, of at most
  /// the sizes that it was made for. Asynchronous on the stream of `exec`: launches of the same sizes whatever the graph,
  /// which may be captured together with the conversion before and the passes after. Throws `invalid_argument` where the
  /// graph is larger or the plan was made for one graph.
  void rebuild(Exec const& exec, Graph const& graph) {
    checked(graph);
    detail::check_capacity(graph_traits::counts(graph), capacity_, size_);
    detail::plan_call const call(mark_);
    graph_ = graph;
    engine::rebuild(exec, by_destination_, graph_traits::by_destination(graph_));
    if constexpr (graph_traits::has_source) engine::rebuild(exec, by_source_, graph_traits::by_source(graph_));
    is_rebuilt_ = true;
  }

  /// How rows are dealt: by the mapping, or as the plan was told.
  policy_type const& policy() const { return policy_; }

  /// Bytes of the plan's own scratch memory.
  std::size_t workspace_bytes() const {
    return scratch_.size_bytes() + arrivals_.size_bytes() + partials_.size_bytes() + picked_.size_bytes();
  }

  /// Memory for what `forward` keeps for `backward`, from the resource of `exec`.
  saved_type make_saved(Exec const& exec) const {
    return saved_type(mark_, capacity_, extents_, engine::memory(exec), detail::stream_of(exec), sources_to_keep());
  }

  /// What runs and what it costs, as text.
  std::string explain() const {
    return detail::explain_program<table, traits>(program_, graph_traits::counts(graph_), graph_traits::has_source, extents_,
                                                  Mapping::name, workspace_bytes(), by_destination_.text(), cost()) +
           "policy: " + to_string(policy_) + "\n";
  }

  /// What the call with these arguments costs at least, launch by launch.
  template <class OutView>
  plan_cost forward_cost(output<OutView> const&) const {
    return cost().template forward<typename OutView::value_type>(false);
  }
  template <class OutView>
  plan_cost forward_cost(output<OutView> const&, saved_type const&) const {
    return cost().template forward<typename OutView::value_type>(true);
  }
  template <class GradView, class... Request>
  plan_cost backward_cost(output_gradient<GradView> const&, Request const&...) const {
    return cost().template backward<std::remove_const_t<typename GradView::value_type>>(type_list<Request...>{});
  }

  /// out = the program's value. Nothing is kept. Shapes: those of `plan`, out [destinations, ...] of the value's kind.
  /// Operands, outputs and gradients of float, bfloat16 and float16 mix; sums are kept in float, and a stored element is
  /// rounded once. Throws `invalid_argument` where a shape differs from the plan's, `saved` is another plan's, or out is
  /// the array of an operand that other rows read.
  template <class OutView>
  void forward(Exec const& exec, Bindings const& in, output<OutView> const& result) const {
    run_forward(exec, in, result, nullptr);
  }
  /// Also keeps in `saved` what `backward` needs; `saved` refers to `result`, which must stay as it is until then.
  template <class OutView>
  void forward(Exec const& exec, Bindings const& in, output<OutView> const& result, saved_type& saved) const {
    run_forward(exec, in, result, &saved);
  }

  /// weights = softmax(score) of every edge, by edge id, of a program with one gather<sum>(softmax(score) * value), from
  /// the log-sum-exp in `saved`: one more traversal by destination. `in`: as it was for `forward`. Shapes: weights
  /// [edges, ...] of the score's kind, mostly per_head. They are the weights before dropout; rows of edges whose
  /// destination has a virtual self edge sum to 1 less that edge's weight, which has no row. Asynchronous, allocates
  /// nothing. Throws `invalid_argument` where a shape differs, where weights are the array of an operand, and where no
  /// forward of this plan filled `saved`.
  template <class OutView>
  void attention_weights(Exec const& exec, Bindings const& in, saved_type const& saved, output<OutView> const& weights) const {
    using attention = detail::attention_weights<Program, table, Offset, accumulator, typename OutView::value_type>;
    static_assert(detail::require_output<OutView, attention::kind, accumulator>::ok);
    detail::check_extents<leaves>(in, extents_, graph_traits::counts(graph_));
    detail::check_output(weights.view, extents_, graph_traits::counts(graph_).edges, "attention_weights", "edges");
    detail::check_not_operand<leaves, detail::writes::at_once>(weights.view, in);
    detail::check_rebuilt(is_rebuilt_, "attention_weights");
    saved.check_filled(mark_, "attention_weights");
    detail::plan_call const call(mark_);
    using score_table = typename attention::score_table;
    constexpr bool narrowed = detail::has_own_extents<score_table>;
    detail::score_pass<typename attention::pass_type, std::conditional_t<narrowed, any_extents, Extents>> ready;
    ready.extents = detail::score_extents<attention::kind, score_table>(extents_);
    ready.pass.program = attention::program_of(program_);
    ready.chunk =
        detail::smaller(detail::fill_operands<score_table>(ready.pass.operands, in), detail::chunk_of(weights.view));
    ready.pass.operands.template of<typename attention::log_sum_exp_bound>() = {
        static_cast<accumulator const*>(saved.template field<attention::unit, 0>()),
        saved.template field_row_bytes<attention::unit, accumulator>()};
    ready.pass.out = weights.view.data;
    ready.pass.out_row_stride = weights.view.row_stride;
    check_width(ready);
    run(exec, ready, graph_traits::by_destination(graph_), by_destination_);
  }

  /// Gradients of the operands asked for, given the adjoint of the output: overwritten, or added to with `accumulate`.
  /// A tensor bound in several roles gets one gradient, summed in a fixed order: epilogue, destination side, source side.
  /// Shapes: each gradient has its operand's shape. Throws `invalid_argument` where one differs, where rows are too wide
  /// for a sum that a gradient needs, where no forward of this plan filled `saved`, and where the output that filled it was
  /// not stored as `gradient` is.
  template <class GradView, class... Request>
  void backward(Exec const& exec, Bindings const& in, saved_type const& saved, output_gradient<GradView> const& gradient,
                Request const&... requests) const {
    using plan_type = detail::gradient_plan<Program, table, Request...>;
    using stored = stored_traits<std::remove_const_t<typename GradView::value_type>>;
    using picked = detail::picked_gradients<Exec, Sums, Graph, Program, table, stored, Request...>;
    static_assert(detail::require_gradients<plan_type, graph_traits::has_source || picked::serves>::ok);
    static_assert(detail::require_output_gradient<GradView, traits::out_kind, accumulator>::ok);
    detail::check_extents<leaves>(in, extents_, graph_traits::counts(graph_));
    detail::check_output(gradient.view, extents_, graph_traits::counts(graph_).destinations, "grad_out");
    (detail::check_gradient<Request, leaves>(requests, in), ...);
    detail::check_rebuilt(is_rebuilt_, "backward");
    saved.check_filled(mark_, "backward");
    saved.template check_output_type<typename GradView::value_type>("backward");
    detail::plan_call const call(mark_);
    // All passes are made and checked before the first one writes.
    auto const fields = stored::fields(saved, gradient.view, prepared(),
                                       static_cast<std::size_t>(graph_traits::counts(graph_).destinations), extents_);
    auto const at_vertices = make_vertex_pass<plan_type>(in, saved, gradient, requests...);
    check_width(at_vertices);
    if constexpr (picked::serves) {
      auto const at_picked = picked::make(program_, graph_, extents_, in, saved, fields, requests...);
      if (visits_picked()) {
        run(exec, at_vertices, graph_traits::by_destination(graph_), by_destination_);
        picked::run(exec, at_picked, picked_room(), const_cast<char*>(picked_.data()), requests...);
        return;
      }
    }
    if constexpr (graph_traits::has_source || !plan_type::runs_source) {
      auto const at_destinations = make_backward_pass<plan_type, stored, role::destination>(in, saved, fields, requests...);
      auto const at_sources = make_backward_pass<plan_type, stored, role::source>(in, saved, fields, requests...);
      check_width(at_destinations);
      check_width(at_sources);
      run(exec, at_vertices, graph_traits::by_destination(graph_), by_destination_);
      run(exec, at_destinations, graph_traits::by_destination(graph_), by_destination_);
      if constexpr (plan_type::runs_source) run(exec, at_sources, graph_traits::by_source(graph_), by_source_);
    }
  }

private:
  /// With an output stored as Out.
  template <class Out>
  using stored_traits = detail::program_traits<Program, table, Offset, accumulator, Out>;
  template <class Out>
  using forward_pass_for = detail::forward_pass<Program, table, Offset, accumulator, Out, traits::is_per_lane>;
  using any_forward_pass = forward_pass_for<accumulator>;  // for what does not depend on the output's storage

  detail::program_cost<Graph, Program, Bindings> cost() const { return {graph_, extents_}; }

  /// The graph itself, where its counts are such that the program can run on it.
  static Graph const& checked(Graph const& graph) {
    detail::require_same_counts(graph);
    auto const counts = graph_traits::counts(graph);
    if (Program::has_self && counts.sources != counts.destinations) {
      throw invalid_argument(detail::text("with_self: needs as many sources as destinations, the graph has ", counts.sources,
                                          " and ", counts.destinations));
    }
    return graph;
  }

  void allocate(Exec const& exec) {
    std::size_t const destination_slots = by_destination_.num_slots;
    std::size_t source_slots = 0;
    if constexpr (graph_traits::has_source) source_slots = by_source_.num_slots;
    auto const forward_bytes = static_cast<std::size_t>(detail::slot_bytes<any_forward_pass>(extents_));
    auto const bytes_of = [&](auto bounds) { return static_cast<std::size_t>(detail::sums_bytes<accumulator>(bounds, extents_)); };
    std::size_t const destination_bytes = bytes_of(detail::bound_in_role<role::destination, table>{});
    std::size_t const source_bytes = bytes_of(detail::bound_in_role<role::source, table>{});
    std::size_t const parameter_bytes = bytes_of(detail::bound_in_role<role::parameter, table>{});
    auto const larger = [](std::size_t a, std::size_t b) { return a > b ? a : b; };
    memory_resource* const memory = engine::memory(exec);
    stream_handle const stream = detail::stream_of(exec);
    auto const rows = static_cast<std::size_t>(graph_traits::counts(graph_).destinations);
    prepared_bytes_ = traits::prepared_elements(rows, extents_) * sizeof(accumulator);
    // What forward leaves in slots and what backward prepares are never alive together.
    std::size_t const backward_total =
        prepared_bytes_ + larger(destination_slots * destination_bytes, source_slots * source_bytes);
    scratch_ = buffer<char, typename Exec::space>(larger(destination_slots * forward_bytes, backward_total), memory, stream);
    // A row never has more tiles than it has elements; one counter a slot and tile.
    std::size_t const tiles = static_cast<std::size_t>(detail::most_tiles(extents_));
    arrivals_ = buffer<std::uint32_t, typename Exec::space>(larger(destination_slots, source_slots) * tiles, memory, stream);
    if (arrivals_.size() > 0) engine::clear(exec, arrivals_.data(), arrivals_.size_bytes());
    partials_ = buffer<char, typename Exec::space>(parameter_bytes * static_cast<std::size_t>(engine::num_partials), memory, stream);
    using picked = detail::picked_engine<Exec>;
    picked_ = buffer<char, typename Exec::space>(picked::template bytes<accumulator>(picked_room()), memory, stream);
    if (picked::is_kept_clear && picked_.size() > 0) engine::clear(exec, picked_.data(), picked_.size_bytes());
  }

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
    bool const has_ids = size_ == detail::sizing::capacity || graph_traits::by_destination(graph_).edge_ids != nullptr;
    return {far_apart || has_ids ? sizeof(Index) : 0};
  }

  /// The scratch memory of a pass: slots from `first_byte` on.
  detail::workspace_view workspace(std::size_t first_byte) const {
    return {const_cast<char*>(scratch_.data()) + first_byte, const_cast<std::uint32_t*>(arrivals_.data()),
            const_cast<char*>(partials_.data())};
  }
  /// What the vertex stage prepares, at the beginning of the scratch memory: backward's slots come behind it.
  accumulator* prepared() const { return reinterpret_cast<accumulator*>(const_cast<char*>(scratch_.data())); }

  template <class Pass>
  void check_width(detail::ready_pass<Pass> const& ready) const {
    engine::template check_width<Pass, Extents>(extents_, ready.chunk);
  }
  template <class Pass, class RowExtents>
  void check_width(detail::score_pass<Pass, RowExtents> const& ready) const {
    engine::template check_width<Pass, RowExtents>(ready.extents, ready.chunk);
  }
  void check_width(detail::no_pass) const {}
  /// The output's alignment is not known to a plan: what is refused here no output can save.
  void check_forward_width(Bindings const& in) const {
    any_forward_pass pass{};
    engine::template check_width<any_forward_pass, Extents>(extents_, detail::fill_operands<table>(pass.operands, in));
  }
  template <class Pass, class Grouping, class Schedule>
  void run(Exec const& exec, detail::ready_pass<Pass> const& ready, Grouping const& grouping, Schedule const& schedule) const {
    engine::template run<Extents>(exec, ready.pass, grouping, schedule, extents_, ready.chunk,
                                  workspace(detail::is_forward_pass<Pass> ? 0 : prepared_bytes_));
  }
  template <class Pass, class RowExtents, class Grouping, class Schedule>
  void run(Exec const& exec, detail::score_pass<Pass, RowExtents> const& ready, Grouping const& grouping, Schedule const& schedule) const {
    engine::template run<RowExtents>(exec, ready.pass, grouping, schedule, ready.extents, ready.chunk, workspace(0));
  }
  template <class Grouping, class Schedule>
  void run(Exec const&, detail::no_pass, Grouping const&, Schedule const&) const {}

  template <class OutView>
  void run_forward(Exec const& exec, Bindings const& in, output<OutView> const& result, saved_type* saved) const {
    static_assert(detail::require_output<OutView, traits::out_kind, accumulator>::ok);
    detail::check_extents<leaves>(in, extents_, graph_traits::counts(graph_));
    detail::check_output(result.view, extents_, graph_traits::counts(graph_).destinations, "out");
    detail::check_not_operand<leaves, detail::writes::after_its_row>(result.view, in);
    detail::check_rebuilt(is_rebuilt_, "forward");
    if (saved) saved->check_maker(mark_, "forward");
    detail::plan_call const call(mark_);
    detail::ready_pass<forward_pass_for<typename OutView::value_type>> ready;
    auto& pass = ready.pass;
    pass.program = program_;
    ready.chunk = detail::smaller(detail::fill_operands<table>(pass.operands, in), detail::chunk_of(result.view));
    pass.out = result.view.data;
    pass.out_row_stride = result.view.row_stride;
    pass.num_edges = graph_traits::by_destination(graph_).num_edges;
    pass.neighbors = graph_traits::by_destination(graph_).neighbors;
    pass.edge_ids = graph_traits::by_destination(graph_).edge_ids;
    check_width(ready);
    if (saved) {
      saved->fill(pass, result.view);
      saved->fill_stash(pass);
    }
    run(exec, ready, graph_traits::by_destination(graph_), by_destination_);
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
      using gradient_leaf = bound_leaf<leaf<role::destination, detail::output_gradient_name>, traits::out_kind, element>;
      using vertex_table = concat_types<table, typename stored::kept_table>;
      using loaded = unique_types<concat_types<typename Plan::vertex_leaves, typename stored::kept_leaves>>;
      using pass_type = detail::vertex_pass<Program, vertex_table, loaded, gradient_leaf, targets, Offset, accumulator>;
      detail::ready_pass<pass_type> ready;
      auto& pass = ready.pass;
      pass.program = program_;
      int chunk = detail::fill_operands<table>(pass.operands, in);
      chunk = detail::smaller(chunk, stored::fill_kept(pass.operands, saved));
      pass.num_edges = graph_traits::by_destination(graph_).num_edges;
      pass.operands.template of<gradient_leaf>() = detail::operand_pointer_of<gradient_leaf>(gradient.view);
      chunk = detail::smaller(chunk, detail::chunk_of(gradient.view));
      traits::fill_prepared(pass.prepared, prepared(),
                            static_cast<std::size_t>(graph_traits::counts(graph_).destinations), extents_);
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
      int chunk = detail::fill_operands<table>(pass.operands, in);
      chunk = detail::smaller(chunk, Stored::fill_fields(pass.operands, fields));
      chunk = detail::smaller(chunk, saved.read_stash(pass.operands));
      constexpr detail::stage now = Fixed == role::destination ? detail::stage::destination : detail::stage::source;
      ready.chunk = detail::smaller(chunk, Plan::template fill_gradients<now, targets>(pass.gradients, requests...));
      return ready;
    }
  }

  detail::shared_mark mark_ = std::make_shared<detail::plan_mark>();
  Graph graph_;
  Program program_;
  detail::row_extents extents_;
  detail::graph_counts capacity_;
  detail::sizing size_;
  bool is_rebuilt_ = size_ == detail::sizing::exact;
  using schedule_type = typename engine::template schedule<detail::deal_of<Mapping>, Index, Offset>;
  policy_type policy_;
  schedule_type by_destination_;
  schedule_type by_source_;
  std::size_t prepared_bytes_ = 0;
  buffer<char, typename Exec::space> scratch_;
  buffer<std::uint32_t, typename Exec::space> arrivals_;
  buffer<char, typename Exec::space> partials_;
  buffer<char, typename Exec::space> picked_;  ///< sums of gradients along picked edges
};

}  // namespace edgewise
