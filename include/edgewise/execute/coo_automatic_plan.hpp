// Plans of `automatic` over edges that are not grouped: they group them, or scatter them where that is less.
#pragma once

#include <optional>
#include <string>
#include <type_traits>

#include <edgewise/execute/call_advice.hpp>
#include <edgewise/execute/count_bytes.hpp>
#include <edgewise/execute/edge_plan.hpp>
#include <edgewise/execute/plan.hpp>
#include <edgewise/execute/scatter_plan.hpp>
#include <edgewise/execute/sums_choice.hpp>
#include <edgewise/format/convert.hpp>
#include <edgewise/mapping/automatic.hpp>
#include <edgewise/mapping/edge_balanced.hpp>
#include <edgewise/tuning/recommend.hpp>

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

/// Both groupings of the edges of a coo.
template <class Index, class Offset, class Space>
struct edge_groupings {
  csr<Index, Offset, Space> by_destination;
  csc<Index, Offset, Space> by_source;

  graph<csr_view<Index, Offset>, csc_view<Index, Offset>> view() const {
    return {by_destination.view(), by_source.view()};
  }
  std::size_t size_bytes() const { return by_destination.size_bytes() + by_source.size_bytes(); }
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

/// A program planned by `automatic` for `graph{coo}`; the interface of other plans. Making it groups the edges by
/// destination and by source, in memory of its own from the resource of `exec`, and everything runs over them. Under
/// `nondeterministic{}` a bare sum (of a softmax too), max or min is scattered over the coo instead where `recommend`
/// finds that `passes` of `automatic` do not pay for the grouping: fuseGNN's question (ICCAD 2020, section 6.3). The
/// coo's arrays must live as long as the plan. Which way was taken shows in `is_grouped` and `explain`; to pin one,
/// take `edge_balanced`, or `to_csr` and `to_csc`. Determinism: that of the plan it chose; without
/// `nondeterministic{}` the same bits always.
template <class Exec, class Index, class Offset, class Program, class Bindings, class Extents, class Sums>
class plan<Exec, graph<coo_view<Index, Offset>>, automatic, Program, Bindings, Extents, Sums>
    : detail::call_advice<Exec, Bindings> {
  using coo_type = coo_view<Index, Offset>;
  using coo_graph = graph<coo_type>;
  using groupings = detail::edge_groupings<Index, Offset, typename Exec::space>;
  using grouped_graph = graph<csr_view<Index, Offset>, csc_view<Index, Offset>>;
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
    if constexpr (may_scatter) {
      pays_from_ = recommended(exec, g.first, in).passes_to_pay;
      constexpr bool numbers_edges = detail::is_extremum_form(detail::unit_scatter_form<detail::only_unit<Program>>);
      bool const fits = !numbers_edges || g.first.num_edges <= detail::most_scattered_edges;
      if (passes_ < pays_from_ && fits) {
        scattered_.emplace(exec, g, edge_balanced{}, program, in, size);
        return;
      }
    }
    groupings_ = {to_csr(exec, g.first), to_csc(exec, g.first)};
    grouped_.emplace(exec, groupings_.view(), mapping, program, in, size);
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
                            .has_source_gradients = true,
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
      s << "; " << detail::short_number(passes_) << " passes expected, grouping pays from "
        << detail::short_number(pays_from_) << " on";
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
