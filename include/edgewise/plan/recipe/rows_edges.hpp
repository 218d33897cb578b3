// The recipe of edge programs over grouped edges: scatter(message), one row of output per edge.
#pragma once

#include <edgewise/core/extents.hpp>
#include <edgewise/engine/concept.hpp>
#include <edgewise/explain/edge_explain.hpp>
#include <edgewise/fields/edge_traits.hpp>
#include <edgewise/pass/pass_sizes.hpp>
#include <edgewise/pass/pass_traits.hpp>
#include <edgewise/pass/store_pass.hpp>
#include <edgewise/plan/plan_memory.hpp>
#include <edgewise/plan/recipe/grouped_rows.hpp>
#include <edgewise/plan/saved_state.hpp>
#include <edgewise/program/gradient_plan.hpp>
#include <edgewise/program/row_bytes.hpp>
#include <edgewise/schedule/sizing.hpp>

namespace edgewise::inline v0::detail {

/// Where a forward pass keeps fields of types S, as `saved_state::fill` takes it.
template <class Saved>
struct edges_kept;
template <class... S>
struct edges_kept<type_list<S...>> {
  struct aggregation {
    pack<S*...> data;
  };
  pack<aggregation> saved;
};

/// A program of edges over a graph grouped by destination, and by source where gradients of sources are asked for.
/// Forward is one traversal by destination that stores the message of each edge; backward the traversals that gathers
/// have, with the output's adjoint read by edge. Nothing is saved.
/// Softmax takes one more traversal by destination before: forward for the normalizer of each row, which is saved,
/// backward for the inner product of values and adjoints.
/// Determinism: the same bits always. Source: gSDDMM (Wang et al. 2019, arXiv:1909.01315); MLSys'22, section 2.1,
/// Scatter, ApplyEdge and ReduceScatter.
template <class Exec, class Graph, class Mapping, class Aggregation, class Bindings, class Extents = any_extents>
class rows_edges : public grouped_rows<Exec, Graph, Mapping, Bindings, Extents> {
  using base = grouped_rows<Exec, Graph, Mapping, Bindings, Extents>;
  using program_type = edge_program<Aggregation>;
  using graph_traits = detail::graph_traits<Graph>;
  using Offset = typename graph_traits::offset_type;

public:
  using leaves = typename program_type::leaves;
  using accumulator = typename table_accumulator<typename operand_table<leaves, Bindings>::type>::type;

private:
  using engine = detail::engine<Exec>;
  using table = typename operand_table<leaves, Bindings>::type;
  using traits = edge_traits<program_type, table, Offset, accumulator>;
  using normalizer = typename traits::normalizer;
  using any_store_pass = typename traits::template store_pass_for<accumulator>;  // widths do not depend on the storage
  using base::capacity_;
  using base::check_width;
  using base::destinations;
  using base::extents_;
  using base::graph_;

public:
  using base::counts;
  using typename base::policy_type;
  using saved_type = saved_state<traits, typename Exec::space>;
  static constexpr operand_kind out_kind = traits::out_kind;
  static constexpr char const* out_rows_are = "edges";
  template <class Storage>
  using attention = no_attention::refused<Storage>;

  rows_edges(Graph const& graph, program_type const& program, Bindings const& in, sizing size)
      : base(graph, checked_extents(graph, in), size), program_(program) {
    check_width(make_normalizer_pass(in, nullptr));
    any_store_pass pass{};
    check_width(ready_pass<any_store_pass>{pass, fill_operands<table>(pass.operands, in)});
  }
  /// policy: null where the mapping decides.
  void make(Exec const& exec, Bindings const& in, Mapping const& mapping, policy_type const* policy, same_edges edges) {
    this->template check_edges<typename program_type::leaves>(exec, edges, edge_identity::endpoints_and_id);
    this->make_schedules(exec, mapping, policy, workloads_for(graph_, in));
    if constexpr (reads_role<role::relation, leaves>) this->make_type_schedule(exec);
    memory_ = plan_memory<Exec>(exec, memory_sizes(exec));
  }

  /// What schedules are chosen for.
  static workloads workloads_for(Graph const& graph, Bindings const& in) {
    any_store_pass pass{};
    row_extents const extents = checked_extents(graph, in);
    int const chunk = fill_operands<table>(pass.operands, in);
    return workloads_of(graph_traits::counts(graph), extents,
                        engine::template groups_of<any_store_pass, Extents>(extents, chunk).half);
  }

  std::size_t workspace_bytes() const { return memory_.size_bytes(); }
  /// A normalizer per row and score of a softmax, else nothing.
  saved_type saved(Exec const& exec, shared_mark const& mark) const {
    return saved_type(mark, capacity_, extents_, engine::memory(exec), stream_of(exec));
  }
  std::string explain() const {
    return explain_edges<table, traits>(program_, counts(), graph_traits::has_source, extents_, Mapping::name,
                                        workspace_bytes(), launches(), this->schedule_text(tile()), cost()) +
           this->policy_text();
  }
  template <class F>
  auto with_cost(F const& f) const {
    return f(cost());
  }

  std::int64_t out_rows() const { return counts().edges; }
  template <class View>
  void check_out_apart(View const& view, Bindings const& in) const {
    check_not_operand<leaves, writes::at_once>(view, in);
  }

  template <class View>
  void forward(Exec const& exec, Bindings const& in, View const& view, saved_type* saved) const {
    ready_pass<typename traits::template store_pass_for<typename View::value_type>> ready;
    auto& pass = ready.pass;
    pass.program = store_program(program_);
    ready.chunk = smaller(fill_operands<table>(pass.operands, in), chunk_of(view));
    pass.out = view.data;
    pass.out_row_stride = view.row_stride;
    check_width(ready);
    edges_kept<typename traits::saved> kept{};
    if (saved) saved->fill(kept, view);
    auto* normalizers = row_field<normalizer>();
    if constexpr (is_softmax) {
      if (saved) normalizers = get<0>(get<0>(kept.saved).data);
    }
    fill_row_fields(pass.operands, typename traits::forward_fields{}, normalizers);
    run(exec, make_normalizer_pass(in, normalizers));
    run(exec, ready);
  }

  template <class GradView, class... Request>
  using require_gradients =
      detail::require_gradients<gradient_plan<program_type, table, Request...>, graph_traits::has_source>;
  /// Throws where `backward` with these arguments would.
  template <class GradView, class... Request>
  void check_backward(Bindings const& in, saved_type const& saved, output_gradient<GradView> const& adjoint,
                      Request const&... requests) const {
    using plan_type = gradient_plan<program_type, table, Request...>;
    check_width(make_inner_pass(in, saved, adjoint));
    check_width(make_backward_pass<plan_type, role::destination>(in, saved, adjoint, requests...));
    check_width(make_backward_pass<plan_type, role::source>(in, saved, adjoint, requests...));
    check_width(make_backward_pass<plan_type, role::relation>(in, saved, adjoint, requests...));
  }
  template <class GradView, class... Request>
  void backward(Exec const& exec, Bindings const& in, saved_type const& saved, output_gradient<GradView> const& adjoint,
                Request const&... requests) const {
    using plan_type = gradient_plan<program_type, table, Request...>;
    auto const inner = make_inner_pass(in, saved, adjoint);
    auto const at_destinations = make_backward_pass<plan_type, role::destination>(in, saved, adjoint, requests...);
    auto const at_sources = make_backward_pass<plan_type, role::source>(in, saved, adjoint, requests...);
    auto const at_types = make_backward_pass<plan_type, role::relation>(in, saved, adjoint, requests...);
    check_width(inner);
    check_width(at_destinations);
    check_width(at_sources);
    check_width(at_types);
    run(exec, inner);
    run(exec, at_destinations);
    if constexpr (plan_type::runs_source) this->run_by_source(exec, at_sources, memory_.view(row_field_bytes()));
    if constexpr (plan_type::runs_relation) this->run_by_type(exec, at_types, memory_.view(row_field_bytes()));
  }

private:
  program_cost<Graph, program_type, Bindings> cost() const { return {this->graph_, extents_}; }

  /// Heads and channels of the operands; the graph is checked first.
  static row_extents checked_extents(Graph const& graph, Bindings const& in) {
    base::check_graph(graph);
    return check_static_extents<Extents>(check_operands<leaves>(in, graph_traits::counts(graph)));
  }

  /// Elements of aligned rows that the forward pass takes at a time.
  std::int64_t tile() const { return is_softmax ? no_bound : this->template tile_of_pass<any_store_pass>(); }
  /// Launches of a traversal by destination: tiles that add up are launches of their own, where rows are aligned and
  /// the output is stored as it is summed, which is not known before a call.
  int launches() const {
    bool const adds = engine::cuts_rows && any_store_pass::adds_up_tiles && tile() < no_bound;
    return this->traversal_launches(tile()) * (adds ? ceil_div(extents_.channels, static_cast<int>(tile())) : 1);
  }

  /// The memory of an output, one row per edge, is more than one slot per row takes. Gradients of inner products are
  /// weighted sums of rows, which may be taken in tiles; by source they would read the output's adjoint by id for each.
  /// The inner products themselves need rows whole, and in partitions where those pay.
  static workloads workloads_of(graph_counts counts, row_extents extents, int half_group) {
    constexpr bool are_products =
        aggregation_sums_channels<Aggregation> && !pull_sums_channels<Aggregation, type_list<>>;
    using backward_table = typename traits::template backward_table<accumulator>;
    using edge_table = bound_in_role<role::edge, backward_table>;
    constexpr bool adds_up = !is_softmax && any_store_pass::adds_up_tiles && !is_static_extents<Extents>;
    bool const is_one_head = extents.heads == 1;
    // A softmax and its normalizers, which keep all threads, are to sum scores alike.
    group_kinds const groups{.half = is_softmax ? 0 : half_group};
    auto const bytes_of = [&](auto bounds) { return bytes_of_tile(bounds, extents); };
    return {.by_destination = {.neighbor_bytes = counts.sources * bytes_of(bound_in_role<role::source, table>{}),
                               .tile_elements = are_products && is_one_head ? elements_of_tile(extents.channels) : 0,
                               .narrow_tile = any_float16<table> ? 2 * least_tile : least_tile,
                               .dot_tile_elements = adds_up && is_one_head ? extents.channels : 0,
                               .has_edge_operands = true,
                               .reads_edges_by_id = true,
                               .groups = groups,
                               .most_slots = counts.destinations},
            .by_source = {.neighbor_bytes = counts.destinations * bytes_of(bound_in_role<role::destination, table>{}),
                          .reads_edges_by_id = true,  // the output's adjoint
                          .groups = groups,
                          .edge_bytes = counts.edges * bytes_within_sectors(edge_table{}, extents),
                          .most_slots = counts.sources}};
  }

  static constexpr bool is_softmax = Aggregation::is_softmax;

  /// Elements of a row of what a softmax knows of it.
  std::int64_t row_elements() const { return elements_of_kind(traits::row_kind, extents_); }
  template <class Field>
  std::int32_t row_bytes() const {
    return static_cast<std::int32_t>(row_elements() * static_cast<std::int64_t>(sizeof(Field)));
  }
  /// At the beginning of the scratch memory: normalizers that nobody keeps, or inner products. Slots come behind.
  std::size_t row_field_bytes() const {
    if (!is_softmax) return 0;
    return padded_elements(static_cast<std::size_t>(capacity_.destinations), row_elements()) * sizeof(normalizer);
  }
  template <class Field>
  Field* row_field() const {
    return reinterpret_cast<Field*>(memory_.view(0).slots);
  }

  plan_memory_sizes memory_sizes(Exec const& exec) const {
    auto const bytes_of = [&](auto bounds) {
      return static_cast<std::size_t>(sums_bytes<accumulator>(bounds, extents_));
    };
    auto const larger = [](std::size_t a, std::size_t b) { return a > b ? a : b; };
    auto const sized = [](std::size_t rows, std::size_t of_row) {
      return static_cast<std::size_t>(size_of_array(rows, of_row));
    };
    std::size_t const destination_slots = this->destination_slots();
    std::size_t const source_slots = this->source_slots();
    std::size_t const type_slots = this->type_slots();
    std::size_t destination_bytes = bytes_of(bound_in_role<role::destination, table>{});
    if constexpr (is_softmax) {
      auto const forward_bytes = slot_bytes<typename traits::normalizer_pass>(extents_, slot_tiles::most(extents_));
      destination_bytes = larger(destination_bytes, static_cast<std::size_t>(forward_bytes));
      destination_bytes = larger(destination_bytes, bytes_of(typename traits::backward_fields{}));
    }
    return {.scratch =
                row_field_bytes() + larger(sized(destination_slots, destination_bytes),
                                           larger(sized(source_slots, bytes_of(bound_in_role<role::source, table>{})),
                                                  sized(type_slots, bytes_of(bound_in_role<role::relation, table>{})))),
            .num_counters = sized(larger(destination_slots, larger(source_slots, type_slots)),
                                  static_cast<std::size_t>(most_tiles(extents_))),
            .partials = bytes_of(bound_in_role<role::parameter, table>{}) * this->num_partials(),
            .staged = this->template staged_bytes<accumulator>(exec)};
  }

  template <class Ready>
  void run(Exec const& exec, Ready const& ready) const {
    this->run_by_destination(exec, ready, memory_.view(row_field_bytes()));
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
      return no_pass{};
    } else {
      constexpr bool narrowed = has_own_extents<typename traits::score_table>;
      score_pass<typename traits::normalizer_pass, std::conditional_t<narrowed, any_extents, Extents>> ready;
      ready.extents = score_extents<traits::row_kind, typename traits::score_table>(extents_);
      ready.pass.program = normalizer_program(get<0>(program_.aggregations).score);
      ready.chunk = fill_operands<typename traits::score_table>(ready.pass.operands, in);
      ready.pass.out = normalizers;
      ready.pass.out_row_stride = row_elements();
      ready.pass.num_edges = destinations().num_edges;
      return ready;
    }
  }

  template <class GradView>
  auto make_inner_pass(Bindings const& in, saved_type const& saved, output_gradient<GradView> const& gradient) const {
    if constexpr (!is_softmax) {
      return no_pass{};
    } else {
      using inner = inner_products<Aggregation, traits, element_of<GradView>>;
      ready_pass<typename inner::pass_type> ready;
      auto const& aggregation = get<0>(program_.aggregations);
      ready.pass.program = inner_program(aggregation.score, aggregation.value);
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
    if constexpr (!Plan::template runs<Fixed>) {
      return no_pass{};
    } else {
      using targets = typename Plan::template targets<Fixed>;
      using backward_table = typename traits::template backward_table<element_of<GradView>>;
      using pass_type = backward_pass<program_type, backward_table, targets, Fixed, Offset, accumulator>;
      ready_pass<pass_type> ready;
      ready.pass.program = program_;
      int const chunk = fill_backward_operands(ready.pass.operands, in, saved, gradient);
      constexpr stage now = stage_of(Fixed);
      ready.chunk = smaller(chunk, Plan::template fill_gradients<now, targets>(ready.pass.gradients, requests...));
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
    pointers.template of<gradient_bound>() = operand_pointer_of<gradient_bound>(gradient.view);
    fill_row_fields(pointers, typename traits::backward_fields{},
                    static_cast<normalizer const*>(saved.template field<0, 0>()),
                    static_cast<accumulator const*>(row_field<accumulator>()));
    return smaller(fill_operands<table>(pointers, in), chunk_of(gradient.view));
  }

  program_type program_;
  plan_memory<Exec> memory_;
};

}  // namespace edgewise::inline v0::detail
