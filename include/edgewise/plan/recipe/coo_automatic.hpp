// The recipe of `automatic` over edges that are not grouped: groups them, or scatters them where that is less.
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
#include <edgewise/plan/recipe/coo_gather.hpp>
#include <edgewise/plan/recipe/rows_recipe.hpp>
#include <edgewise/plan/sums_choice.hpp>
#include <edgewise/schedule/sizing.hpp>

namespace edgewise::inline v0::detail {

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
  /// A graph of as many vertices and edges, without arrays: what operands are checked against before anything is
  /// grouped.
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
struct no_recipe {};

/// A program of `automatic` over `graph{coo}`. Making the plan groups the edges by destination, and by source where the
/// program reads sources, in memory of its own from the resource of `exec`, and everything runs over them. Under
/// `nondeterministic{}` a bare sum (of a softmax too), max or min is scattered over the coo instead where `recommend`
/// finds that `passes` of `automatic`, forward and backward, do not pay for the grouping: fuseGNN's question (ICCAD
/// 2020, section 6.3). The coo's arrays must live and stay as they are as long as the plan. Which way was taken shows
/// in `is_grouped` and `explain`; to pin one, take `edge_balanced`, or `to_csr` and `to_csc`. No `rebuild` or policy.
/// Throws `invalid_argument` where `passes` is not positive. Determinism: that of the recipe it chose; without
/// `nondeterministic{}` the same bits always.
template <class Exec, class Index, class Offset, class Program, class Bindings, class Extents, class Sums>
class coo_automatic : public recipe_base<Exec, graph<coo_view<Index, Offset>>, Bindings> {
  using coo_type = coo_view<Index, Offset>;
  using coo_graph = graph<coo_type>;
  using base = recipe_base<Exec, coo_graph, Bindings>;
  using groupings =
      edge_groupings<Index, Offset, typename Exec::space, reads_role<role::source, typename Program::leaves>>;
  using grouped_graph = typename groupings::graph_type;
  using grouped_sums = std::conditional_t<chooses_sums<grouped_graph, automatic, Program>, Sums, deterministic>;
  using grouped = typename rows_recipe<Exec, grouped_graph, automatic, Program, Bindings, Extents, grouped_sums>::type;
  static constexpr bool scatters = may_scatter<Program, Bindings, Sums>();
  template <bool Scatters>
  static auto scattered_type() {
    if constexpr (Scatters) {
      return type_tag<coo_gather<Exec, Index, Offset, Program, Bindings, Extents>>{};
    } else {
      return type_tag<no_recipe>{};
    }
  }
  using scattered = typename decltype(scattered_type<scatters>())::type;
  static_assert(require_grouping<Exec, coo_type>::ok);

public:
  using leaves = typename grouped::leaves;
  using accumulator = typename grouped::accumulator;
  static_assert(require_plain_numbers<accumulator>::ok);
  using saved_type = typename grouped::saved_type;
  static constexpr operand_kind out_kind = grouped::out_kind;
  static constexpr char const* out_rows_are = grouped::out_rows_are;
  static constexpr int num_parts = grouped::num_parts;
  template <class Storage>
  using attention = typename grouped::template attention<Storage>;
  template <class GradView, class... Request>
  using require_gradients = typename grouped::template require_gradients<GradView, Request...>;

  coo_automatic(coo_graph const& g, Program const& program, Bindings const& in, sizing size)
      : base(g, check_static_extents<Extents>(check_operands<leaves>(in, counts_of(g))), size), program_(program) {
    static_cast<void>(grouped::workloads_for(groupings::shape_of(g.first), in));  // checks the operands
  }
  template <class... How>
  void make(Exec const& exec, Bindings const& in, automatic const& mapping, How const&...) {
    passes_ = mapping.passes;
    if (!(passes_ > 0)) {
      throw invalid_argument(text("automatic: is told to expect ", passes_, " passes, there must be some"));
    }
    coo_type const& coo = this->graph_.first;
    if constexpr (scatters) {
      pays_from_ = recommended(exec, coo, in).passes_to_pay;
      constexpr bool numbers_edges = is_extremum_form(aggregation_scatter_form<only_aggregation<Program>>);
      bool const fits = !numbers_edges || coo.num_edges <= most_scattered_edges;
      if (passes_ < pays_from_ && fits) {
        scattered_.emplace(this->graph_, program_, in, this->size_);
        scattered_->make(exec, in);
        return;
      }
    }
    groupings_ = groupings::of(exec, coo);
    grouped_.emplace(groupings_.view(), program_, in, this->size_);
    grouped_->make(exec, in, mapping, nullptr, same_edges::known);
  }

  void update_constants(Exec const& exec, Bindings const& in) {
    if constexpr (requires { grouped_->update_constants(exec, in); }) {
      if (grouped_) grouped_->update_constants(exec, in);
    }
  }
  void check_constants(Bindings const& in, char const* call) const {
    if constexpr (requires { grouped_->check_constants(in, call); }) {
      if (grouped_) grouped_->check_constants(in, call);
    }
  }

  bool is_grouped() const { return grouped_.has_value(); }
  std::size_t groupings_bytes() const { return groupings_.size_bytes(); }

  std::size_t workspace_bytes() const {
    return with_recipe([](auto const& r) { return r.workspace_bytes(); });
  }
  saved_type saved(Exec const& exec, shared_mark const& mark) const {
    return with_recipe([&](auto const& r) -> saved_type { return r.saved(exec, mark); });
  }
  std::string explain() const {
    return with_recipe([&](auto const& r) { return choice_text() + r.explain(); });
  }
  template <class F>
  auto with_cost(F const& f) const {
    return with_recipe([&](auto const& r) { return r.with_cost(f); });
  }

  std::int64_t out_rows() const {
    return with_recipe([](auto const& r) { return r.out_rows(); });
  }
  row_extents out_extents() const {
    return with_recipe([](auto const& r) { return r.out_extents(); });
  }
  template <class View>
  auto with_parts(View const& view) const {
    return with_recipe([&](auto const& r) { return r.with_parts(view); });
  }
  template <class View>
  void check_out_apart(View const& view, Bindings const& in) const {
    with_recipe([&](auto const& r) { r.check_out_apart(view, in); });
  }

  template <class View>
  void forward(Exec const& exec, Bindings const& in, View const& view, saved_type* saved) const {
    with_recipe([&](auto const& r) { r.forward(exec, in, view, saved); });
  }
  template <class View>
  void attention_weights(Exec const& exec, Bindings const& in, saved_type const& saved, View const& weights) const {
    with_recipe([&](auto const& r) { r.attention_weights(exec, in, saved, weights); });
  }
  template <class GradView, class... Request>
  void backward(Exec const& exec, Bindings const& in, saved_type const& saved, output_gradient<GradView> const& adjoint,
                Request const&... requests) const {
    with_recipe([&](auto const& r) { r.backward(exec, in, saved, adjoint, requests...); });
  }

  template <class Any = void>
  static void refuse_rebuild() {
    static_assert(!std::is_void_v<Any>,
                  "rebuild: a plan of automatic over graph{coo} groups the edges of one graph; make another plan, or "
                  "regroup into one memory (format/regroup.cuh) and plan_for_capacity over that");
  }
  template <class Any = void>
  void policy() const {
    static_assert(
        !std::is_void_v<Any>,
        "policy: a plan of automatic over graph{coo} may have none; convert with to_csr to see and to pin it");
  }

private:
  template <class F>
  decltype(auto) with_recipe(F const& f) const {
    if constexpr (scatters) {
      static_assert(std::is_same_v<typename scattered::saved_type, saved_type>);
      if (scattered_) return f(*scattered_);
    }
    return f(*grouped_);
  }

  /// Rows are those of the operands as they are bound, and of the output as it is accumulated.
  static edge_recommendation recommended(Exec const& exec, coo_type const& coo, Bindings const& in) {
    using table = gathered_table<Program, Bindings>;
    using accumulator = typename table_accumulator<table>::type;
    using traits = program_traits<Program, table, Offset, accumulator>;
    graph_counts const counts{coo.num_destinations(), coo.num_sources(), static_cast<std::int64_t>(coo.num_edges)};
    auto const extents = check_operands<typename Program::leaves>(in, counts);
    auto const bytes_in = [&]<role Role>(std::integral_constant<role, Role>) {
      return static_cast<std::int64_t>(bytes_of_row(bound_in_role<Role, table>{}, extents));
    };
    return recommend(exec, {.num_destinations = counts.destinations,
                            .num_sources = counts.sources,
                            .num_edges = counts.edges,
                            .source_bytes = bytes_in(std::integral_constant<role, role::source>{}),
                            .edge_bytes = bytes_in(std::integral_constant<role, role::edge>{}),
                            .value_bytes = traits::out_elements(extents) * std::int64_t{sizeof(accumulator)},
                            .has_source_gradients = reads_role<role::source, typename Program::leaves>,
                            .l2_bytes = engine<Exec>::cache_bytes()});
  }

  std::string choice_text() const {
    std::ostringstream s;
    s << "edges of graph{coo}: ";
    if (is_grouped()) {
      s << "grouped by the plan, " << groupings_bytes() << " bytes";
    } else {
      s << "scattered as they are";
    }
    if constexpr (scatters) {
      s << "; " << short_number(passes_) << " passes expected, grouping ";
      if (pays_from_ < std::numeric_limits<double>::infinity()) {
        s << "pays from " << short_number(pays_from_) << " on";
      } else {
        s << "never pays";
      }
    }
    s << "\n";
    return s.str();
  }

  Program program_;
  double passes_ = 0;
  double pays_from_ = 0;
  groupings groupings_;  ///< empty where edges are scattered
  std::optional<grouped> grouped_;
  std::optional<scattered> scattered_;
};

}  // namespace edgewise::inline v0::detail
