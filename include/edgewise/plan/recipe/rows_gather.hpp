// The recipe of gathers over grouped edges: rows are folded by destination, and pulled by destination and by source.
#pragma once

#include <cstdint>
#include <string>

#include <edgewise/core/extents.hpp>
#include <edgewise/core/memory.hpp>
#include <edgewise/core/resources.hpp>
#include <edgewise/engine/concept.hpp>
#include <edgewise/explain/explain.hpp>
#include <edgewise/fields/backward_traversal.hpp>
#include <edgewise/fields/program_traits.hpp>
#include <edgewise/format/graph.hpp>
#include <edgewise/format/graph_traits.hpp>
#include <edgewise/mapping/concept.hpp>
#include <edgewise/mapping/tensor_core.hpp>
#include <edgewise/pass/backward_pass.hpp>
#include <edgewise/pass/forward_pass.hpp>
#include <edgewise/pass/vertex_pass.hpp>
#include <edgewise/plan/argument_gradients.hpp>
#include <edgewise/plan/attention_weights.hpp>
#include <edgewise/plan/constant_edges.hpp>
#include <edgewise/plan/handed_rows.hpp>
#include <edgewise/plan/plan_memory.hpp>
#include <edgewise/plan/plan_sizes.hpp>
#include <edgewise/plan/recipe/grouped_rows.hpp>
#include <edgewise/plan/rounded_rows.hpp>
#include <edgewise/plan/saved_state.hpp>
#include <edgewise/program/bindings.hpp>
#include <edgewise/program/gradient_plan.hpp>
#include <edgewise/program/row_bytes.hpp>
#include <edgewise/program/shapes.hpp>
#include <edgewise/program/stash.hpp>
#include <edgewise/program/static_extents.hpp>
#include <edgewise/program/sums.hpp>
#include <edgewise/program/tile_program.hpp>
#include <edgewise/schedule/sizing.hpp>

namespace edgewise::inline v0::detail {

/// A program of gathers over grouped edges. Forward is one traversal by destination; backward a stage over vertices
/// where the epilogue or a gather needs one, then traversals by destination and by source, or one over the edges that
/// maxima picked. Determinism: the same inputs give the same bits, whatever the stream, the repetition or the number of
/// threads, unless Sums says otherwise (program/sums.hpp).
template <class Exec, class Graph, class Mapping, class Program, class Bindings, class Extents = any_extents,
          class Sums = deterministic>
class rows_gather : public grouped_rows<Exec, Graph, Mapping, Bindings, Extents> {
  using base = grouped_rows<Exec, Graph, Mapping, Bindings, Extents>;
  using graph_traits = detail::graph_traits<Graph>;
  using Index = typename graph_traits::index_type;
  using Offset = typename graph_traits::offset_type;

public:
  using leaves = unique_types<concat_types<typename Program::leaves, typename Program::self_leaves,
                                           operand_leaves<typename Program::epilogue_type>>>;
  using accumulator = typename table_accumulator<typename operand_table<leaves, Bindings>::type>::type;

private:
  using engine = detail::engine<Exec>;
  using table = typename operand_table<leaves, Bindings>::type;
  using aggregation_types = typename Program::aggregation_types;
  using traits = program_traits<Program, table, Offset, accumulator>;
  using rounded_type = rounded_rows<Exec, Mapping, traits, table>;
  /// The traits of a program whose output is stored as Out.
  template <class Out>
  using stored_traits = program_traits<Program, table, Offset, accumulator, Out>;
  template <class GradView, class... Request>
  using argument_for =
      argument_gradients<Exec, Sums, Graph, Program, table,
                         stored_traits<std::remove_const_t<typename GradView::value_type>>, Request...>;
  static_assert(require_tile_program_if<is_tensor_core<Mapping>, Program, table>::ok);
  using base::capacity_;
  using base::check_width;
  using base::destinations;
  using base::extents_;
  using base::graph_;
  using base::run_by_destination;
  using base::size_;

public:
  using base::counts;
  using typename base::policy_type;
  using saved_type = saved_state<traits, typename Exec::space>;
  static constexpr operand_kind out_kind = traits::out_kind;
  static constexpr int num_parts = traits::num_parts;

  rows_gather(Graph const& graph, Program const& program, Bindings const& in, sizing size)
      : base(graph, checked_extents(graph, in), size),
        program_(program),
        row_bytes_(sizes::row_bytes(counts(), extents_)) {
    check_forward_width(in);
  }
  /// policy: null where the mapping decides.
  void make(Exec const& exec, Bindings const& in, Mapping const& mapping, policy_type const* policy, same_edges edges) {
    this->template check_edges<typename Program::leaves>(exec, edges, identity_in_program<Program>);
    this->make_schedules(exec, mapping, policy, workloads_for(graph_, in, size_));
    if constexpr (reads_types) this->make_type_schedule(exec);
    allocate(exec);
    if constexpr (keeps_orders) {
      if (size_ != sizing::exact || !keeps_constants(in)) return;
      destination_order_.make(exec, destinations(), in);
      if constexpr (graph_traits::has_source) source_order_.make(exec, this->sources(), in);
    }
  }
  /// Copies constant operands again.
  void update_constants(Exec const& exec, Bindings const& in) {
    if constexpr (keeps_orders) {
      destination_order_.update(exec, destinations(), in);
      if constexpr (graph_traits::has_source) source_order_.update(exec, this->sources(), in);
    }
  }
  /// Throws where a constant operand is another array than the one that was copied.
  void check_constants(Bindings const& in, char const* call) const {
    destination_order_.check(in, call);
    source_order_.check(in, call);
  }

  /// What schedules are chosen for, where operands have these shapes.
  static workloads workloads_for(Graph const& graph, Bindings const& in, sizing size = sizing::exact) {
    row_extents const extents = checked_extents(graph, in);
    workloads work =
        sizes::workloads_for(graph_traits::counts(graph), extents,
                             engine::template groups_of<any_forward_pass, Extents>(extents, forward_chunk(in)));
    if (size == sizing::exact && keeps_constants(in)) {
      for (workload* one : {&work.by_destination, &work.by_source}) {
        one->edge_bytes = 0;
        one->reads_edges_by_id = false;
      }
    }
    return work;
  }

  std::size_t workspace_bytes() const {
    return memory_.size_bytes() + argument_.size_bytes() + rounded_.size_bytes() + handed_.size_bytes() +
           destination_order_.size_bytes() + source_order_.size_bytes();
  }
  saved_type saved(Exec const& exec, shared_mark const& mark) const {
    return saved_type(mark, capacity_, extents_, engine::memory(exec), stream_of(exec), sources_to_keep());
  }

  std::string explain() const {
    return explain_program<table, traits>(program_, counts(), graph_traits::has_source, extents_, Mapping::name,
                                          workspace_bytes(), this->traversal_launches(tile()),
                                          this->schedule_text(tile()), cost()) +
           rounded_.explain() + order_text("destination", destination_order_) + order_text("source", source_order_) +
           this->policy_text();
  }
  template <class F>
  auto with_cost(F const& f) const {
    return f(cost());
  }

  /// The graph itself, where its counts are such that the program can run on it.
  static void check_graph(Graph const& graph) {
    base::check_graph(graph);
    if (Program::has_self && !is_part_of_graph<Graph>) require_as_many_sources(graph_traits::counts(graph));
  }
  row_extents out_extents() const { return traits::out_extents(extents_); }
  template <class View>
  auto with_parts(View const& view) const {
    return traits::with_parts(view, extents_);
  }
  template <class View>
  void check_out_apart(View const& view, Bindings const& in) const {
    constexpr auto written = traits::num_parts == 1 ? writes::after_its_row : writes::at_once;
    check_not_operand<leaves, written>(view, in);
  }

  template <class View>
  void forward(Exec const& exec, Bindings const& in, View const& view, saved_type* saved) const {
    ready_pass<forward_pass_for<typename View::value_type>> ready;
    auto& pass = ready.pass;
    pass.program = program_;
    constexpr bool gaps = traits::template reads_gaps<std::remove_reference_t<decltype(pass)>>;
    ready.chunk = smaller(fill_operands<table, gaps>(pass.operands, in), chunk_of_written<gaps>(view));
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
    read_in_order<role::destination>(ready);
    run_by_destination(exec, ready, memory_.view(0));
  }

  template <class Storage>
  using attention = detail::attention_weights<Program, table, Offset, accumulator, Storage>;
  template <class View>
  void attention_weights(Exec const& exec, Bindings const& in, saved_type const& saved, View const& weights) const {
    using weights_of = attention<typename View::value_type>;
    using score_table = typename weights_of::score_table;
    constexpr bool narrowed = has_own_extents<score_table>;
    score_pass<typename weights_of::pass_type, std::conditional_t<narrowed, any_extents, Extents>> ready;
    ready.extents = score_extents<weights_of::kind, score_table>(extents_);
    ready.chunk = weights_of::fill(ready.pass, program_, in, saved, weights);
    check_width(ready);
    run_by_destination(exec, ready, memory_.view(0));
  }

  static constexpr bool reads_types = reads_role<role::relation, typename Program::leaves>;

  template <class GradView, class... Request>
  using require_gradients =
      detail::require_gradients<gradient_plan<Program, table, Request...>,
                                graph_traits::has_source || argument_for<GradView, Request...>::serves>;
  /// Throws where `backward` with these arguments would.
  template <class GradView, class... Request>
  void check_backward(Bindings const& in, saved_type const& saved, output_gradient<GradView> const& adjoint,
                      Request const&... requests) const {
    using plan_type = gradient_plan<Program, table, Request...>;
    using stored = stored_traits<std::remove_const_t<typename GradView::value_type>>;
    auto const fields =
        stored::fields(saved, adjoint.view, prepared(), static_cast<std::size_t>(counts().destinations), extents_);
    check_width(make_vertex_pass<plan_type>(in, saved, adjoint, requests...));
    if constexpr (argument_for<GradView, Request...>::serves) {
      if (visits_arguments()) return;
    }
    if constexpr (graph_traits::has_source || !plan_type::runs_source) {
      check_width(make_backward_pass<plan_type, stored, role::destination>(in, saved, fields, requests...));
      check_width(make_backward_pass<plan_type, stored, role::source>(in, saved, fields, requests...));
      check_width(make_backward_pass<plan_type, stored, role::relation>(in, saved, fields, requests...));
    }
  }
  template <class GradView, class... Request>
  void backward(Exec const& exec, Bindings const& in, saved_type const& saved, output_gradient<GradView> const& adjoint,
                Request const&... requests) const {
    using plan_type = gradient_plan<Program, table, Request...>;
    using stored = stored_traits<std::remove_const_t<typename GradView::value_type>>;
    using arguments = argument_for<GradView, Request...>;
    // All passes are made and checked before the first one writes.
    auto const fields =
        stored::fields(saved, adjoint.view, prepared(), static_cast<std::size_t>(counts().destinations), extents_);
    auto const at_vertices = make_vertex_pass<plan_type>(in, saved, adjoint, requests...);
    check_width(at_vertices);
    if constexpr (arguments::serves) {
      auto const at_argument = arguments::make(program_, graph_, extents_, in, saved, fields, requests...);
      if (visits_arguments()) {
        run(exec, at_vertices);
        arguments::run(exec, at_argument, argument_room(), argument_.data(), requests...);
        return;
      }
    }
    if constexpr (graph_traits::has_source || !plan_type::runs_source) {
      auto at_destinations = make_backward_pass<plan_type, stored, role::destination>(in, saved, fields, requests...);
      bool const takes_stage = !prepare_on_the_way(at_destinations, saved);
      auto const at_sources = make_backward_pass<plan_type, stored, role::source>(in, saved, fields, requests...);
      auto const at_types = make_backward_pass<plan_type, stored, role::relation>(in, saved, fields, requests...);
      check_width(at_destinations);
      check_width(at_sources);
      check_width(at_types);
      if (takes_stage) run(exec, at_vertices);
      if (takes_tiles<role::destination>(at_destinations) || takes_tiles<role::source>(at_sources)) {
        rounded_.round(exec, prepared(), static_cast<std::size_t>(counts().destinations), extents_);
      }
      run(exec, at_destinations);
      if constexpr (plan_type::runs_source) this->run_by_source(exec, at_sources, memory_.view(prepared_bytes()));
      if constexpr (plan_type::runs_relation) this->run_by_type(exec, at_types, memory_.view(prepared_bytes()));
    }
  }

private:
  template <class Out>
  using forward_pass_for = forward_pass<Program, table, Offset, accumulator, Out, traits::is_per_channel>;
  using any_forward_pass = forward_pass_for<accumulator>;  // for what does not depend on the output's storage
  using sizes = plan_sizes<traits, table, any_forward_pass>;

  /// Are copies of constant operands kept in the order of a grouping? Tiles know their edges by id.
  static constexpr bool keeps_orders = !is_tile_split<split_of<Mapping>>;
  /// They are where passes know edges by nothing else: all operands of edges are constant, and no values are kept.
  static bool keeps_constants(Bindings const& in) {
    return keeps_orders && traits::stash_table::size == 0 && has_constant_edges<table>(in);
  }
  using order_type = constant_edges<Exec, table>;
  static std::string order_text(char const* endpoint, order_type const& order) {
    std::string const names = order.names();
    return names.empty() ? "" : joined("constant: ", names, ", kept in the order of rows by ", endpoint, "\n");
  }
  /// Lets a pass whose rows are of role Fixed read what is kept in their order.
  template <role Fixed, class Pass>
  void read_in_order(ready_pass<Pass>& ready) const {
    auto const& order = Fixed == role::destination ? destination_order_ : source_order_;
    if constexpr (keeps_orders && may_read_in_order<Pass, table> && Fixed != role::relation) {
      ready.reads_in_order = order.template serves<Pass>();
      if (ready.reads_in_order) ready.chunk = smaller(ready.chunk, order.fill(ready.pass.operands, extents_));
    }
  }

  program_cost<Graph, Program, Bindings> cost() const {
    return {.graph = graph_,
            .extents = extents_,
            .prepares_on_the_way = !has_parts(),
            .has_destination_order = destination_order_.is_complete(),
            .has_source_order = source_order_.is_complete(),
            .visits_arguments = visits_arguments()};
  }
  /// Are traversals by destination several launches, of partitions?
  bool has_parts() const { return this->traversal_launches(no_bound) > 1; }

  /// Heads and channels of the operands; the graph is checked first.
  static row_extents checked_extents(Graph const& graph, Bindings const& in) {
    check_graph(graph);
    return check_static_extents<Extents>(check_operands<leaves>(in, graph_traits::counts(graph)));
  }

  /// Elements of aligned rows that the forward pass takes at a time.
  std::int64_t tile() const { return this->template tile_of_pass<any_forward_pass>(); }

  void allocate(Exec const& exec) {
    auto const parameter_bytes =
        static_cast<std::size_t>(sums_bytes<accumulator>(bound_in_role<role::parameter, table>{}, extents_));
    auto const larger = [](std::size_t a, std::size_t b) { return a > b ? a : b; };
    auto const bytes_of = [](std::size_t rows, std::int64_t of_row) {
      return static_cast<std::size_t>(size_of_array(rows, of_row));
    };
    std::size_t const slots = this->destination_slots();
    std::size_t const source_slots = this->source_slots();
    std::size_t const type_slots = this->type_slots();
    // What forward leaves in slots and what backward prepares are never alive together.
    std::size_t const backward_bytes = prepared_bytes() + larger(bytes_of(slots, row_bytes_.destination_slot),
                                                                 larger(bytes_of(source_slots, row_bytes_.source_slot),
                                                                        bytes_of(type_slots, row_bytes_.type_slot)));
    memory_ = plan_memory<Exec>(
        exec, {.scratch = larger(bytes_of(slots, row_bytes_.forward_slot), backward_bytes),
               // A row never has more tiles than it has elements; one counter per slot and
               // tile.
               .num_counters = bytes_of(larger(slots, larger(source_slots, type_slots)), most_tiles(extents_)),
               .partials = parameter_bytes * this->num_partials(),
               .staged = this->template staged_bytes<accumulator>(exec)});
    if constexpr (graph_traits::has_source) handed_.allocate(exec, counts().edges, extents_);
    if (this->has_tiles()) rounded_.allocate(exec, static_cast<std::size_t>(counts().destinations), extents_);
    using engine_type = argument_engine<Exec>;
    argument_ = scratch<char, typename Exec::space>(exec, engine_type::template bytes<accumulator>(argument_room()));
    if (engine_type::is_kept_clear && argument_.size() > 0)
      engine::clear(exec, argument_.data(), argument_.size_bytes());
  }

  std::size_t prepared_bytes() const { return static_cast<std::size_t>(row_bytes_.prepared); }

  detail::argument_room argument_room() const {
    return room_for_argument<Exec, Sums, Program, table, traits>(capacity_, extents_, graph_traits::has_source);
  }
  bool visits_arguments() const {
    return detail::visits_arguments<Exec, Sums, Program, table, traits>(capacity_, extents_, graph_traits::has_source);
  }
  /// Sources of argument edges are kept where they lie far apart, or cannot be found by the ids of the edges.
  kept_sources sources_to_keep() const {
    if (!visits_arguments()) return {};
    bool const far_apart = capacity_.edges >= degree_of_kept_sources * capacity_.destinations;
    bool const has_ids = size_ == sizing::capacity || destinations().edge_ids != nullptr;
    return {far_apart || has_ids ? sizeof(Index) : 0};
  }

  /// What the vertex stage prepares, at the beginning of the scratch memory: backward's slots come behind it.
  accumulator* prepared() const { return reinterpret_cast<accumulator*>(memory_.view(0).slots); }

  static int forward_chunk(Bindings const& in) {
    any_forward_pass pass{};
    return fill_operands<table, traits::template reads_gaps<any_forward_pass>>(pass.operands, in);
  }
  /// The output's alignment is not known to a plan: what is refused here no output can save.
  void check_forward_width(Bindings const& in) const {
    engine::template check_width<any_forward_pass, Extents>(extents_, forward_chunk(in));
  }
  /// Runs a pass of backward.
  template <class Ready>
  void run(Exec const& exec, Ready const& ready) const {
    run_by_destination(exec, ready, memory_.view(prepared_bytes()));
  }

  template <role>
  bool takes_tiles(no_pass) const {
    return false;
  }
  template <role Fixed, class Pass>
  bool takes_tiles(ready_pass<Pass> const&) const {
    return this->template walks_tiles<Fixed, Pass>();
  }

  /// Lets the traversal by destination prepare what the stage over vertices would, where it can; rows in partitions
  /// have pieces too short to read the output in each.
  bool prepare_on_the_way(no_pass, saved_type const&) const { return false; }
  template <class Pass>
  bool prepare_on_the_way([[maybe_unused]] ready_pass<Pass>& ready, [[maybe_unused]] saved_type const& saved) const {
    if constexpr (Pass::prepares_inner) {
      if (has_parts() || this->template walks_tiles<role::destination, Pass>()) return false;
      auto& pass = ready.pass;
      using gradient = typename decltype(pass.inner.value)::bound;
      using term = bound_for<typename Pass::inner_leaf, typename Pass::table>;
      pass.inner.value = {static_cast<typename gradient::storage*>(saved.template result<0>()),
                          saved.template result_row_bytes<0>()};
      // The same address, as memory of the plan, which the pass writes.
      pass.inner.to = prepared() + (pass.operands.template of<term>().data - prepared());
      ready.chunk = smaller(ready.chunk, saved.template chunk_of_result<0>());
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
      return no_pass{};
    } else {
      using element = typename GradView::value_type;  // const
      using stored = stored_traits<std::remove_const_t<element>>;
      using gradients = typename traits::template gradients_stored_as<element>::type;
      using vertex_table = concat_types<table, typename stored::kept_table>;
      using loaded = unique_types<concat_types<typename Plan::vertex_leaves, typename stored::kept_leaves>>;
      using pass_type = vertex_pass<Program, vertex_table, loaded, gradients, targets, Offset, accumulator>;
      ready_pass<pass_type> ready;
      auto& pass = ready.pass;
      pass.program = program_;
      int chunk = fill_operands<table>(pass.operands, in);
      chunk = smaller(chunk, stored::fill_kept(pass.operands, saved));
      pass.num_edges = destinations().num_edges;
      fill_parts(gradients{}, pass.operands, gradient.view, traits::part_elements(extents_));
      chunk = smaller(chunk, chunk_of(gradient.view));
      traits::fill_prepared(pass.prepared, prepared(), static_cast<std::size_t>(counts().destinations), extents_);
      ready.chunk = smaller(chunk, Plan::template fill_gradients<stage::vertex, targets>(pass.gradients, requests...));
      return ready;
    }
  }

  template <class Plan, class Stored, role Fixed, class Fields, class... Request>
  auto make_backward_pass(Bindings const& in, saved_type const& saved, Fields const& fields,
                          Request const&... requests) const {
    if constexpr (!Plan::template runs<Fixed>) {
      return no_pass{};
    } else {
      using backward_table =
          concat_types<table, typename Stored::field_table, typename traits::stash_table, typename rounded_type::table>;
      using traversal = backward_traversal<traits, Plan, backward_table, Fixed>;
      using pass_type = typename traversal::pass;
      ready_pass<pass_type> ready;
      auto& pass = ready.pass;
      pass.program = traversal::program_of(program_);
      constexpr bool gaps = traits::template reads_gaps<pass_type>;
      int chunk = fill_operands<table, gaps>(pass.operands, in);
      chunk = smaller(chunk, Stored::template fill_fields<gaps>(pass.operands, fields));
      chunk = smaller(chunk, saved.read_stash(pass.operands));
      rounded_.fill(pass.operands, extents_);
      if constexpr (traversal::leaves_handed) handed_.fill_targets(pass.gradients, extents_);
      if constexpr (traversal::reads_handed) handed_.fill_operands(pass.operands, extents_);
      constexpr stage now = stage_of(Fixed);
      using targets = typename traversal::plan_targets;
      ready.chunk =
          smaller(chunk, Plan::template fill_gradients_among<now, targets, gaps>(pass.gradients, requests...));
      read_in_order<Fixed>(ready);
      return ready;
    }
  }

  Program program_;
  state_bytes row_bytes_;
  plan_memory<Exec> memory_;
  rounded_type rounded_;
  handed_rows<Exec, traits> handed_;
  order_type destination_order_;
  order_type source_order_;
  scratch<char, typename Exec::space> argument_;  ///< sums of gradients along argument edges
};

}  // namespace edgewise::inline v0::detail
