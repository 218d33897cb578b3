// Plans of `automatic` over edges that are not grouped: they group them, or scatter them where that is less.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <type_traits>

#include <edgewise/cost/count_bytes.hpp>
#include <edgewise/expression/roles.hpp>
#include <edgewise/format/convert.hpp>
#include <edgewise/mapping/automatic.hpp>
#include <edgewise/mapping/edge_balanced.hpp>
#include <edgewise/mapping/recommend.hpp>
#include <edgewise/plan/call_advice.hpp>
#include <edgewise/plan/edge_plan.hpp>
#include <edgewise/plan/plan.hpp>
#include <edgewise/plan/scatter_plan.hpp>
#include <edgewise/plan/sums_choice.hpp>
#include <edgewise/schedule/sizing.hpp>

namespace edgewise {

namespace detail {

template <class Exec, class View>
concept groups_edges = requires(Exec const& exec, View const& view) {
  to_csr(exec, view);
  to_csc(exec, view);
};
template <class Exec, class View>
struct require_grouping {
  static_assert(groups_edges<Exec, View>,
                "automatic: over graph{coo} it groups the edges; to do so on cuda include edgewise/format/convert.cuh");
  static constexpr bool ok = true;
};

/// The groupings of a coo's edges that a program runs over: by source where a gradient of sources may be asked for.
template <class Index, class Offset, class Space, bool HasSource>
struct edge_groupings {
  using graph_type = std::conditional_t<HasSource, graph<csr_view<Index, Offset>, csc_view<Index, Offset>>,
                                        graph<csr_view<Index, Offset>>>;

  csr<Index, Offset, Space> by_destination;
  csc<Index, Offset, Space> by_source;

  template <class Exec>
  static edge_groupings of(Exec const& exec, coo_view<Index, Offset> const& coo) {
    edge_groupings made{to_csr(exec, coo), {}};
    if constexpr (HasSource) made.by_source = to_csc(exec, coo);
    return made;
  }
  /// Of as many vertices and edges, without arrays: what operands are checked against before anything is grouped.
  static graph_type shape_of(coo_view<Index, Offset> const& coo) {
    csr_view<Index, Offset> const rows{
        {nullptr, nullptr, nullptr, coo.num_destinations(), coo.num_sources(), coo.num_edges}};
    csc_view<Index, Offset> const columns{
        {nullptr, nullptr, nullptr, coo.num_sources(), coo.num_destinations(), coo.num_edges}};
    return view_of(rows, columns);
  }
  graph_type view() const { return view_of(by_destination.view(), by_source.view()); }
  std::size_t size_bytes() const { return by_destination.size_bytes() + by_source.size_bytes(); }

private:
  static graph_type view_of(csr_view<Index, Offset> const& rows, csc_view<Index, Offset> const& columns) {
    if constexpr (HasSource) {
      return {rows, columns};
    } else {
      static_cast<void>(columns);
      return {rows};
    }
  }
};

/// The operands of a program that is one gather, as they are bound.
template <class Program, class Bindings>
using gathered_table = typename operand_table<typename Program::leaves, Bindings>::type;

template <class Program, class Bindings, class Sums>
consteval bool may_scatter() {
  if constexpr (std::is_same_v<Sums, nondeterministic> && is_scatterable<Program, float>()) {
    return is_scatterable<Program, typename table_accumulator<gathered_table<Program, Bindings>>::type>();
  } else {
    return false;
  }
}

/// Stands where edges cannot be scattered, or must not be.
struct no_scatter_plan {};

}  // namespace detail

/// A program planned by `automatic` for `graph{coo}`. Making it groups the edges by destination, and by source where
/// the program reads sources, in memory of its own from the resource of `exec`, and everything runs over them. Under
/// `nondeterministic{}` a bare sum (of a softmax too), max or min is scattered over the coo instead where `recommend`
/// finds that `passes` of `automatic`, forward and backward, do not pay for the grouping: fuseGNN's question (ICCAD
/// 2020, section 6.3). The coo's arrays must live and stay as they are as long as the plan. Which way was taken shows
/// in `is_grouped` and `explain`; to pin one, take `edge_balanced`, or `to_csr` and `to_csc`. Forward, backward,
/// attention weights and states as of other plans; no `rebuild`, policy or costs. Determinism: that of the plan it
/// chose; without `nondeterministic{}` the same bits always.
template <class Exec, class Index, class Offset, class Program, class Bindings, class Extents, class Sums>
class plan<Exec, graph<coo_view<Index, Offset>>, automatic, Program, Bindings, Extents, Sums>
    : detail::call_advice<Exec, Bindings> {
  using coo_type = coo_view<Index, Offset>;
  using coo_graph = graph<coo_type>;
  using groupings =
      detail::edge_groupings<Index, Offset, typename Exec::space, detail::reads_sources<typename Program::leaves>>;
  using grouped_graph = typename groupings::graph_type;
  using grouped_sums = std::conditional_t<detail::chooses_sums<grouped_graph, automatic, Program>, Sums, deterministic>;
  using grouped_plan = plan<Exec, grouped_graph, automatic, Program, Bindings, Extents, grouped_sums>;
  static constexpr bool may_scatter = detail::may_scatter<Program, Bindings, Sums>();
  using scatter_plan = std::conditional_t<may_scatter, plan<Exec, coo_graph, edge_balanced, Program, Bindings, Extents>,
                                          detail::no_scatter_plan>;
  static_assert(detail::require_grouping<Exec, coo_type>::ok);

public:
  using saved_type = typename grouped_plan::saved_type;
  using detail::call_advice<Exec, Bindings>::forward;
  using detail::call_advice<Exec, Bindings>::backward;

  /// Of one graph. Throws `invalid_argument` where `passes` is not positive.
  plan(Exec const& exec, coo_graph const& g, automatic const& mapping, Program const& program, Bindings const& in,
       detail::sizing size)
      : passes_(mapping.passes) {
    if (!(passes_ > 0)) {
      throw invalid_argument(detail::text("automatic: is told to expect ", passes_, " passes, there must be some"));
    }
    detail::engine<Exec>::site::refuse_capture(exec, "plan");
    if constexpr (may_scatter) {
      pays_from_ = recommended(exec, g.first, in).passes_to_pay;
      constexpr bool numbers_edges = detail::is_extremum_form(detail::unit_scatter_form<detail::only_unit<Program>>);
      bool const fits = !numbers_edges || g.first.num_edges <= detail::most_scattered_edges;
      if (passes_ < pays_from_ && fits) {
        scattered_.emplace(exec, g, edge_balanced{}, program, in, size);
        return;
      }
    }
    static_cast<void>(grouped_plan::uses(groupings::shape_of(g.first), in));  // checks the operands
    groupings_ = groupings::of(exec, g.first);
    grouped_.emplace(exec, groupings_.view(), mapping, program, in, size, nullptr, detail::same_edges::known);
  }

  /// Were the edges grouped?
  bool is_grouped() const { return grouped_.has_value(); }
  /// Bytes of the plan's groupings.
  std::size_t groupings_bytes() const { return groupings_.size_bytes(); }
  /// Bytes of the plan's own scratch memory.
  std::size_t workspace_bytes() const {
    return with_plan([](auto const& p) { return p.workspace_bytes(); });
  }
  /// As of other plans.
  saved_type make_saved(Exec const& exec) const {
    return with_plan([&](auto const& p) -> saved_type { return p.make_saved(exec); });
  }

  /// What was chosen, what runs and what it costs, as text.
  std::string explain() const {
    return with_plan([&](auto const& p) { return choice_text() + p.explain(); });
  }
  /// As of other plans.
  std::string explain(machine_ceilings const& machine, pass_times const& measured = {}) const {
    return with_plan([&](auto const& p) { return choice_text() + p.explain(machine, measured); });
  }

  /// As of other plans.
  template <class OutView>
  void forward(Exec const& exec, Bindings const& in, output<OutView> const& result) const {
    with_plan([&](auto const& p) { p.forward(exec, in, result); });
  }
  template <class OutView>
  void forward(Exec const& exec, Bindings const& in, output<OutView> const& result, saved_type& saved) const {
    with_plan([&](auto const& p) { p.forward(exec, in, result, saved); });
  }
  template <class OutView>
  void attention_weights(Exec const& exec, Bindings const& in, saved_type const& saved,
                         output<OutView> const& weights) const {
    with_plan([&](auto const& p) { p.attention_weights(exec, in, saved, weights); });
  }
  template <class GradView, detail::gradient_argument... Request>
  void backward(Exec const& exec, Bindings const& in, saved_type const& saved,
                output_gradient<GradView> const& gradient, Request const&... requests) const {
    with_plan([&](auto const& p) { p.backward(exec, in, saved, gradient, requests...); });
  }

  /// What other plans have and this one has not.
  template <class... Any>
  void rebuild(Any const&...) const {
    static_assert(sizeof...(Any) > std::size_t(-2),
                  "rebuild: a plan of automatic over graph{coo} groups the edges of one graph; make another plan, or "
                  "regroup into one memory (format/regroup.cuh) and plan_for_capacity over that");
  }
  template <class... Any>
  void policy(Any const&...) const {
    static_assert(
        sizeof...(Any) > std::size_t(-2),
        "policy: a plan of automatic over graph{coo} may have none; convert with to_csr to see and to pin it");
  }
  template <class... Any>
  void forward_cost(Any const&...) const {
    static_assert(sizeof...(Any) > std::size_t(-2),
                  "forward_cost: not over graph{coo}; convert with to_csr, or read explain()");
  }
  template <class... Any>
  void backward_cost(Any const&...) const {
    static_assert(sizeof...(Any) > std::size_t(-2),
                  "backward_cost: not over graph{coo}; convert with to_csr, or read explain()");
  }

private:
  template <class F>
  decltype(auto) with_plan(F const& f) const {
    if constexpr (may_scatter) {
      static_assert(std::is_same_v<typename scatter_plan::saved_type, saved_type>);
      if (scattered_) return f(*scattered_);
    }
    return f(*grouped_);
  }

  /// Rows are those of the operands as they are bound, and of the output as it is accumulated.
  static edge_recommendation recommended(Exec const& exec, coo_type const& coo, Bindings const& in) {
    using table = detail::gathered_table<Program, Bindings>;
    using accumulator = typename detail::table_accumulator<table>::type;
    using traits = detail::program_traits<Program, table, Offset, accumulator>;
    detail::graph_counts const counts{coo.num_destinations(), coo.num_sources(),
                                      static_cast<std::int64_t>(coo.num_edges)};
    auto const extents = detail::check_operands<typename Program::leaves>(in, counts);
    auto const bytes_in = [&]<role Role>(std::integral_constant<role, Role>) {
      return static_cast<std::int64_t>(detail::bytes_of_row(detail::bound_in_role<Role, table>{}, extents));
    };
    return recommend(exec, {.num_destinations = counts.destinations,
                            .num_sources = counts.sources,
                            .num_edges = counts.edges,
                            .source_bytes = bytes_in(std::integral_constant<role, role::source>{}),
                            .edge_bytes = bytes_in(std::integral_constant<role, role::edge>{}),
                            .value_bytes = traits::out_elements(extents) * std::int64_t{sizeof(accumulator)},
                            .has_source_gradients = detail::reads_sources<typename Program::leaves>,
                            .l2_bytes = detail::engine<Exec>::cache_bytes()});
  }

  std::string choice_text() const {
    std::ostringstream s;
    s << "edges of graph{coo}: ";
    if (is_grouped()) {
      s << "grouped by the plan, " << groupings_bytes() << " bytes";
    } else {
      s << "scattered as they are";
    }
    if constexpr (may_scatter) {
      s << "; " << detail::short_number(passes_) << " passes expected, grouping ";
      if (pays_from_ < std::numeric_limits<double>::infinity()) {
        s << "pays from " << detail::short_number(pays_from_) << " on";
      } else {
        s << "never pays";
      }
    }
    s << "\n";
    return s.str();
  }

  double passes_;
  double pays_from_ = 0;
  groupings groupings_;  ///< empty where edges are scattered
  std::optional<grouped_plan> grouped_;
  std::optional<scatter_plan> scattered_;
};

}  // namespace edgewise
