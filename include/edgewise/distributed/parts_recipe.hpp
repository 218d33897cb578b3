// The recipe of one traversal over a part of a graph: two recipes of today, rows that cross between ranks, and sums in
// the order of ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <edgewise/core/error.hpp>
#include <edgewise/distributed/distributed_view.hpp>
#include <edgewise/distributed/global_numbers.hpp>
#include <edgewise/distributed/local_gradients.hpp>
#include <edgewise/distributed/local_operands.hpp>
#include <edgewise/distributed/parts_cost.hpp>
#include <edgewise/distributed/parts_saved.hpp>
#include <edgewise/distributed/source_tables.hpp>
#include <edgewise/plan/recipe/recipe_base.hpp>
#include <edgewise/plan/recipe/rows_recipe.hpp>
#include <edgewise/plan/recipe/unit_bindings.hpp>
#include <edgewise/plan/same_edges.hpp>
#include <edgewise/program/bindings.hpp>
#include <edgewise/program/gradient_plan.hpp>

namespace edgewise::inline v0::detail {

/// Forward: rows that other ranks read are packed and sent, the interior runs while they travel, then the boundary.
/// Backward: the boundary first, whose gradients of sources travel back while the interior runs; each rank then adds
/// what came of its rows, in the order of ranks. Gradients of parameters are summed over the ranks in their order
/// (`rank_sum`), and are the same on all. Calls are collective: every rank makes the same ones in the same order.
/// Determinism: the same bits again for the same parts, without atomics. Throws as recipes do, before anything is sent,
/// and `communication_error`.
template <class Exec, class Graph, class Mapping, class Program, class Bindings, class Extents, class Sums>
class parts_recipe : public recipe_base<Exec, Graph, Bindings> {
  using base = recipe_base<Exec, Graph, Bindings>;
  using view_type = decltype(Graph::first);
  using Distributed = typename view_type::distributed_type;
  using Message = typename view_type::message_type;
  using local_graph = typename Distributed::local_graph;
  using bound = leaves_to_bind<Program>;
  using local_set = typename local_bindings<bound, Bindings>::type;
  using local_recipe = typename rows_recipe<Exec, local_graph, Mapping, Program, local_set, Extents, Sums>::type;
  using tables_type = source_tables<Exec, bound, Bindings>;
  using exchange_type = source_exchange<Distributed, bound, Bindings, Message>;

public:
  using leaves = typename local_recipe::leaves;
  using accumulator = typename local_recipe::accumulator;
  using saved_type = parts_saved<typename local_recipe::saved_type, tables_type>;
  using policy_type = typename local_recipe::policy_type;
  static constexpr operand_kind out_kind = local_recipe::out_kind;
  static constexpr int num_parts = local_recipe::num_parts;
  static constexpr char const* out_rows_are = local_recipe::out_rows_are;
  using base::counts;

private:
  using gradients_type = local_gradients<Distributed, bound, Bindings, accumulator, Message>;

public:
  parts_recipe(Graph const& graph, Program const& program, Bindings const& in, sizing size)
      : base(graph, check_operands<leaves>(in, graph_traits<Graph>::counts(graph)), size),
        interior_(parts().interior(), program, local(in, interior_side(), no_tables{}), size),
        boundary_(parts().boundary(), program, local(in, boundary_side(), no_tables{}), size) {
    check_graph(graph);
    if (!parts().part().shares_vertices) check_ends_apart(in, source_leaves<bound>{});
  }

  void make(Exec const& exec, Bindings const& in, Mapping const& mapping, policy_type const* policy, same_edges edges) {
    numbers_.make(exec, parts().part());
    exchange_ = exchange_type(exec, parts(), in);
    tables_ = tables_type(exec, parts().halo().num_table_rows(), in);
    gradients_.emplace(exec, parts(), in);
    interior_.make(exec, local(in, interior_side(), tables_), mapping, policy, edges);
    boundary_.make(exec, local(in, boundary_side(), tables_), mapping, policy, edges);
  }
  static void refuse_rebuild() {
    static_assert(std::is_void_v<Exec>, "rebuild: a plan over a distributed graph is for that graph alone");
  }
  static void check_graph(Graph const& graph) {
    if constexpr (requires { Program::has_self; }) {
      vertex_counts const whole = graph.first.parts->part().whole;
      if (Program::has_self) require_as_many_sources({whole.destinations, whole.sources});
    }
  }
  void update_constants(Exec const& exec, Bindings const& in) {
    if constexpr (requires { interior_.update_constants(exec, std::declval<local_set const&>()); }) {
      interior_.update_constants(exec, local(in, interior_side(), tables_));
      boundary_.update_constants(exec, local(in, boundary_side(), tables_));
    }
  }
  void check_constants(Bindings const& in, char const* call) const {
    if constexpr (requires { interior_.check_constants(std::declval<local_set const&>(), call); }) {
      interior_.check_constants(local(in, interior_side(), tables_), call);
      boundary_.check_constants(local(in, boundary_side(), tables_), call);
    }
  }

  /// That of the boundary.
  decltype(auto) policy() const { return boundary_.policy(); }
  std::size_t workspace_bytes() const {
    return interior_.workspace_bytes() + boundary_.workspace_bytes() + tables_.size_bytes() + exchange_.size_bytes() +
           gradients_->size_bytes();
  }
  sent_bytes sent() const { return {exchange_.sent_bytes(), gradients_->sent_bytes()}; }
  saved_type saved(Exec const& exec, shared_mark const& mark) const {
    return {interior_.saved(exec, mark), boundary_.saved(exec, mark), tables_type(exec, tables_)};
  }
  std::string explain() const {
    auto const& part = parts().part();
    return joined("rank ", part.rank, " of ", part.num_ranks, ": ", part.num_destinations(), " of ",
                  part.whole.destinations, " rows, ", part.interior.num_destinations(), " of them interior; reads ",
                  part.num_halo_rows(), " rows of other ranks, sends ", parts().halo().num_sent_rows(),
                  "\nforward sends ", sent().forward, " bytes, backward ", sent().backward, "\ninterior:\n",
                  interior_.explain(), "boundary:\n", boundary_.explain());
  }
  template <class F>
  auto with_cost(F const& f) const {
    return f(parts_cost<local_recipe>{interior_, boundary_});
  }

  std::int64_t out_rows() const { return is_of_edges() ? counts().edges : counts().destinations; }
  row_extents out_extents() const { return interior_.out_extents(); }
  template <class View>
  auto with_parts(View const& view) const {
    return interior_.with_parts(view);
  }
  template <class View>
  void check_out_apart(View const& view, Bindings const& in) const {
    constexpr auto written = num_parts > 1 || is_of_edges() ? writes::at_once : writes::after_its_row;
    check_not_operand<leaves, written>(view, in);
  }

  template <class View>
  void forward(Exec const& exec, Bindings const& in, View const& view, saved_type* saved) const {
    auto const& tables = saved ? saved->tables : tables_;
    exchange_.run(exec, in, tables, [&] {
      auto const side = interior_side();
      interior_.forward(exec, local(in, side, tables), rows_of_result(view, side), saved ? &saved->interior : nullptr);
    });
    auto const side = boundary_side();
    boundary_.forward(exec, local(in, side, tables), rows_of_result(view, side), saved ? &saved->boundary : nullptr);
  }

  template <class Storage>
  using attention = typename local_recipe::template attention<Storage>;
  template <class View>
  void attention_weights(Exec const& exec, Bindings const& in, saved_type const& saved, View const& weights) const {
    auto const run = [&](local_recipe const& recipe, part_side const& side, auto const& kept) {
      recipe.attention_weights(exec, local(in, side, saved.tables), kept,
                               rows_of_view(weights, side.first_edge, side.num_edges));
    };
    run(interior_, interior_side(), saved.interior);
    run(boundary_, boundary_side(), saved.boundary);
  }

  template <class GradView, class... Request>
  struct require_gradients {
    template <class R>
    static constexpr bool is_read = targets_any<typename R::target, leaves>;
    static_assert((require_gradient_target<typename Request::target, is_read<Request>>::ok && ...));
    static constexpr bool ok = true;
  };
  /// Throws where `backward` with these arguments would.
  template <class GradView, class... Request>
  void check_backward(Bindings const& in, saved_type const& saved, output_gradient<GradView> const& adjoint,
                      Request const&... requests) const {
    auto const check = [](auto const& recipe, auto const&... argument) { recipe.check_backward(argument...); };
    run_side<true>(in, saved.tables, saved.boundary, adjoint, check, requests...);
    run_side<false>(in, saved.tables, saved.interior, adjoint, check, requests...);
  }
  template <class GradView, class... Request>
  void backward(Exec const& exec, Bindings const& in, saved_type const& saved, output_gradient<GradView> const& adjoint,
                Request const&... requests) const {
    check_backward(in, saved, adjoint, requests...);
    auto const run = [&](auto const& recipe, auto const&... argument) { recipe.backward(exec, argument...); };
    run_side<true>(in, saved.tables, saved.boundary, adjoint, run, requests...);
    gradients_->run(
        exec,
        [&] {
          if (parts().part().interior.num_destinations() > 0) {
            run_side<false>(in, saved.tables, saved.interior, adjoint, run, requests...);
          } else {
            gradients_->clear_interior(exec, requests...);
          }
        },
        requests...);
    gradients_->add(exec, requests...);
  }

private:
  /// Stands for tables where none is there yet: shapes and alignment are what is looked at.
  struct no_tables {
    static constexpr std::uintptr_t alignment_of_memory = 256;
    template <class L>
    auto* of() const {
      return reinterpret_cast<typename storage_in<Bindings>::template element<L>::type*>(alignment_of_memory);
    }
  };

  /// Where sources and destinations are owned apart, no array has the rows of both.
  template <class... L, class... Binding>
  static void check_ends_apart(binding_set<Binding...> const&, type_list<L...>) {
    [[maybe_unused]] auto const check = []<class Leaf>(type_tag<Leaf>) {
      using other = leaf<role::destination, typename Leaf::name>;
      if constexpr (contains_type<other, bound>) {
        if (find_target<Leaf, Binding...>::find() == find_target<other, Binding...>::find()) {
          throw invalid_argument(text("bindings: one array is bound as ", leaf_name<Leaf>(), " and ",
                                      leaf_name<other>(),
                                      ", but sources and destinations are owned apart; bind the roles apart"));
        }
      }
    };
    (check(type_tag<L>{}), ...);
  }

  Distributed const& parts() const { return *this->graph_.first.parts; }
  static constexpr bool is_of_edges() { return std::string_view(out_rows_are) == "edges"; }

  part_side interior_side() const {
    auto const& part = parts().part();
    return {false,
            0,
            part.interior.num_destinations(),
            0,
            static_cast<std::int64_t>(part.interior.num_edges()),
            numbers_.edges(0),
            numbers_.rows(0)};
  }
  part_side boundary_side() const {
    auto const& part = parts().part();
    std::int64_t const rows = part.interior.num_destinations(), edges = part.interior.num_edges();
    return {true,
            rows,
            part.boundary.num_destinations(),
            edges,
            static_cast<std::int64_t>(part.boundary.num_edges()),
            numbers_.edges(edges + rows),
            numbers_.rows(rows)};
  }
  template <class View>
  static View rows_of_result(View const& view, part_side const& side) {
    return is_of_edges() ? rows_of_view(view, side.first_edge, side.num_edges)
                         : rows_of_view(view, side.first_row, side.num_rows);
  }

  template <class Tables>
  local_set local(Bindings const& in, part_side const& side, Tables const& tables) const {
    auto const table = [&]<class L, class View>(type_tag<L>, View const& view) {
      return view_over<typename View::value_type>(tables.template of<L>(), parts().halo().num_table_rows(), view);
    };
    return [&]<class... L>(type_list<L...>) {
      return local_set{make_pack(binding<L, typename local_view<view_bound_to<L, Bindings>>::type>{
          local_operand<L>(view_for<L>(in), side, table)}...)};
    }(bound{});
  }

  /// run(recipe, bindings, state, adjoint, requests...) of a side.
  template <bool OfTable, class Kept, class GradView, class Run, class... Request>
  void run_side(Bindings const& in, tables_type const& tables, Kept const& kept,
                output_gradient<GradView> const& adjoint, Run const& run, Request const&... requests) const {
    auto const side = OfTable ? boundary_side() : interior_side();
    auto const& recipe = OfTable ? boundary_ : interior_;
    auto const of_side = output_gradient<GradView>{rows_of_result(adjoint.view, side)};
    std::apply([&](auto const&... own) { run(recipe, local(in, side, tables), kept, of_side, own...); },
               gradients_->template requests_of<OfTable>(side, requests...));
  }

  global_numbers<Exec, bound> numbers_;  // before the recipes, whose constructors are shown it
  local_recipe interior_;
  local_recipe boundary_;
  exchange_type exchange_;
  tables_type tables_;  // of forward passes that keep nothing
  std::optional<gradients_type> gradients_;
};

template <class Exec, class Distributed, class Message, class Mapping, class Program, class Bindings, class Extents,
          class Sums>
struct rows_recipe<Exec, graph<distributed_view<Distributed, Message>>, Mapping, Program, Bindings, Extents, Sums> {
  using type =
      parts_recipe<Exec, graph<distributed_view<Distributed, Message>>, Mapping, Program, Bindings, Extents, Sums>;
};
template <class Exec, class Distributed, class Message, class Mapping, class Aggregation, class Bindings, class Extents,
          class Sums>
struct rows_recipe<Exec, graph<distributed_view<Distributed, Message>>, Mapping, edge_program<Aggregation>, Bindings,
                   Extents, Sums> {
  using type = parts_recipe<Exec, graph<distributed_view<Distributed, Message>>, Mapping, edge_program<Aggregation>,
                            Bindings, Extents, Sums>;
};

}  // namespace edgewise::inline v0::detail
