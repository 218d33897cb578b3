// The recipe of a program of vertices alone, a unit among others: no edge is walked.
#pragma once

#include <cstdint>
#include <string>

#include <edgewise/core/extents.hpp>
#include <edgewise/cost/vertex_cost.hpp>
#include <edgewise/engine/concept.hpp>
#include <edgewise/explain/expression_text.hpp>
#include <edgewise/fields/program_traits.hpp>
#include <edgewise/format/graph_traits.hpp>
#include <edgewise/mapping/work_split.hpp>
#include <edgewise/pass/forward_pass.hpp>
#include <edgewise/pass/pass_sizes.hpp>
#include <edgewise/pass/vertex_pass.hpp>
#include <edgewise/plan/kept_nothing.hpp>
#include <edgewise/plan/plan_memory.hpp>
#include <edgewise/plan/recipe/recipe_base.hpp>
#include <edgewise/program/bindings.hpp>
#include <edgewise/program/gradient_plan.hpp>
#include <edgewise/program/shapes.hpp>

namespace edgewise::inline v0::detail {

/// Rows of values in arrays of their own, `part_stride` elements from one to the next: later units gather from each
/// without the others.
template <class T, operand_kind Kind>
struct parts_view : operand_view<T, Kind> {
  std::int64_t part_stride = 0;
};

/// Rows: role::source or role::destination, whose vertices the rows are; the program reads them as destinations.
template <class Exec, class Graph, class Program, class Bindings, role Rows>
class vertex_rows : public recipe_base<Exec, Graph, Bindings> {
  using base = recipe_base<Exec, Graph, Bindings>;
  using engine = detail::engine<Exec>;
  using Index = typename graph_traits<Graph>::index_type;
  using Offset = typename graph_traits<Graph>::offset_type;
  using base::extents_;

public:
  using leaves = operand_leaves<typename Program::epilogue_type>;
  using table = typename operand_table<leaves, Bindings>::type;
  using accumulator = typename table_accumulator<table>::type;
  using saved_type = kept_nothing;
  using base::counts;

private:
  using traits = program_traits<Program, table, Offset, accumulator>;
  template <class Out>
  using forward_pass_for = forward_pass<Program, table, Offset, accumulator, Out, traits::is_per_channel>;

public:
  static constexpr operand_kind out_kind = traits::out_kind;
  static constexpr int num_parts = traits::num_parts;
  static constexpr operand_kind part_kind = traits::part_kind;

  vertex_rows(Graph const& graph, Program const& program, Bindings const& in, sizing size)
      : base(graph, check_operands<leaves>(in, rows_as_destinations(graph_traits<Graph>::counts(graph))), size),
        program_(program) {
    forward_pass_for<accumulator> pass{};
    engine::template check_width<forward_pass_for<accumulator>>(extents_, fill_operands<table>(pass.operands, in));
  }

  template <class... How>
  void make(Exec const& exec, Bindings const&, How const&...) {
    auto const parameters =
        static_cast<std::size_t>(sums_bytes<accumulator>(bound_in_role<role::parameter, table>{}, extents_));
    std::int64_t const most = rows_of_role(Rows, this->capacity_);
    memory_ =
        plan_memory<Exec>(exec, {.partials = parameters * static_cast<std::size_t>(engine::num_partials(most, 0))});
  }
  void rebuild(Exec const&, Graph const& graph) { this->take(graph); }

  std::size_t workspace_bytes() const { return memory_.size_bytes(); }
  saved_type saved(Exec const&, shared_mark const& mark) const { return saved_type(mark); }
  std::string explain() const {
    return joined("  vertices: ", expression_text(program_.epilogue), ", for ", num_rows(), " ", rows_name(Rows), "\n");
  }
  template <class F>
  auto with_cost(F const& f) const {
    return f(vertex_cost<Program, table, accumulator, traits>{num_rows(), extents_});
  }

  std::int64_t out_rows() const { return num_rows(); }
  row_extents out_extents() const { return traits::out_extents(extents_); }
  template <class View>
  auto with_parts(View const& view) const {
    return traits::with_parts(view, extents_);
  }
  void check_shapes(Bindings const& in) const { check_extents<leaves>(in, extents_, rows_as_destinations(counts())); }

  template <class View>
  void forward(Exec const& exec, Bindings const& in, View const& view, saved_type* saved) const {
    if (saved) saved->begin();
    forward_pass_for<typename View::value_type> pass{};
    pass.program = program_;
    int const chunk = smaller(fill_operands<table>(pass.operands, in), chunk_of(view));
    pass.out = view.data;
    pass.out_row_stride = view.row_stride;
    if constexpr (requires { view.part_stride; }) pass.out_part_stride = view.part_stride;
    engine::template check_width<decltype(pass)>(extents_, chunk);
    run(exec, pass, chunk);
  }

  template <class Storage>
  using attention = typename no_attention::refused<Storage>;

  template <class GradView, class... Request>
  using require_gradients = detail::require_gradients<gradient_plan<Program, table, Request...>, true>;
  template <class GradView, class... Request>
  void check_backward(Bindings const& in, saved_type const&, output_gradient<GradView> const& adjoint,
                      Request const&... requests) const {
    int chunk = 0;
    auto const pass = make_backward(chunk, in, adjoint, requests...);
    engine::template check_width<std::remove_const_t<decltype(pass)>>(extents_, chunk);
  }
  template <class GradView, class... Request>
  void backward(Exec const& exec, Bindings const& in, saved_type const&, output_gradient<GradView> const& adjoint,
                Request const&... requests) const {
    int chunk = 0;
    run(exec, make_backward(chunk, in, adjoint, requests...), chunk);
  }

private:
  /// The rows that a program of vertices reads are destinations.
  static graph_counts rows_as_destinations(graph_counts counts) {
    counts.destinations = rows_of_role(Rows, counts);
    return counts;
  }
  std::int64_t num_rows() const { return rows_of_role(Rows, counts()); }

  template <class Pass>
  void run(Exec const& exec, Pass const& pass, int chunk) const {
    grouping_view<Index, Offset> rows;
    rows.num_rows = static_cast<Index>(num_rows());
    engine::run(exec, pass, rows, schedule_, extents_, chunk, memory_.view(0));
  }
  template <class GradView, class... Request>
  auto make_backward(int& chunk, Bindings const& in, output_gradient<GradView> const& adjoint,
                     Request const&... requests) const {
    using plan_type = gradient_plan<Program, table, Request...>;
    using targets = typename plan_type::vertex_targets;
    using gradients = typename traits::template gradients_stored_as<typename GradView::value_type>::type;
    vertex_pass<Program, table, typename plan_type::vertex_leaves, gradients, targets, Offset, accumulator> pass{};
    pass.program = program_;
    chunk = smaller(fill_operands<table>(pass.operands, in), chunk_of(adjoint.view));
    std::int64_t step = traits::part_elements(extents_);
    if constexpr (requires { adjoint.view.part_stride; }) step = adjoint.view.part_stride;
    fill_parts(gradients{}, pass.operands, adjoint.view, step);
    chunk = smaller(chunk, plan_type::template fill_gradients<stage::vertex, targets>(pass.gradients, requests...));
    return pass;
  }

  Program program_;
  plan_memory<Exec> memory_;
  typename engine::template schedule<row_split, Index, Offset> schedule_;
};

}  // namespace edgewise::inline v0::detail
