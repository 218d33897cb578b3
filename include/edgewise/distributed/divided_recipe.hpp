// The recipe of one traversal over a part of a graph in two pieces: two recipes of one process, rows that cross
// between ranks, and sums in the order of ranks.
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
#include <edgewise/distributed/divided_cost.hpp>
#include <edgewise/distributed/divided_saved.hpp>
#include <edgewise/distributed/global_numbers.hpp>
#include <edgewise/distributed/local_gradients.hpp>
#include <edgewise/distributed/local_operands.hpp>
#include <edgewise/distributed/own_rows.hpp>
#include <edgewise/distributed/part_pieces.hpp>
#include <edgewise/distributed/part_programs.hpp>
#include <edgewise/distributed/source_tables.hpp>
#include <edgewise/plan/recipe/recipe_base.hpp>
#include <edgewise/plan/recipe/rows_recipe.hpp>
#include <edgewise/plan/recipe/unit_bindings.hpp>
#include <edgewise/plan/same_edges.hpp>
#include <edgewise/program/bindings.hpp>
#include <edgewise/program/gradient_plan.hpp>

namespace edgewise::inline v0::detail {

/// Forward: rows that other ranks read are packed and sent, the local piece runs while they travel, then the remote
/// one. Backward: the remote piece first, whose gradients of sources travel back while the local one runs; each rank
/// then adds what came of its rows, in the order of ranks. Gradients of parameters are summed over the ranks in their
/// order (`rank_sum`), and are the same on all. Calls are collective: every rank makes the same ones in the same order.
/// Divided by edges, what the local piece gathers of a row is a virtual self edge to the remote one (Programs,
/// distributed/part_programs.hpp). It lies where the output will, if that is of the type of sums. Gradients of rows, to
/// which both pieces add, and of sources, are rounded once by each where they are of 16 bits.
/// Determinism: the same bits again for the same parts, without atomics. Throws as recipes do, before anything is sent,
/// and `communication_error`.
template <part_division Division, template <class> class Programs, class Exec, class Graph, class Mapping,
          class Program, class Bindings, class Extents, class Sums>
class divided_recipe : public recipe_base<Exec, Graph, Bindings> {
  using base = recipe_base<Exec, Graph, Bindings>;
  using view_type = decltype(Graph::first);
  using Distributed = typename view_type::distributed_type;
  using Message = typename view_type::message_type;
  using piece_graph = typename Distributed::piece_type::graph_type;
  using programs = Programs<Program>;
  static constexpr bool shares_rows = programs::shares_rows;

  using bound = leaves_to_bind<Program>;
  using local_bound = leaves_to_bind<typename programs::local_type>;
  using remote_bound = filter_types<is_users_operand, leaves_to_bind<typename programs::remote_type>>;
  using local_set = typename local_bindings<local_bound, Bindings>::type;
  using local_table =
      typename operand_table<typename program_leaves<typename programs::local_type>::type, local_set>::type;
  /// Messages alone may be of fewer heads and channels than the program.
  using local_extents =
      std::conditional_t<shares_rows && filter_types<is_wide_bound, local_table>::size == 0, any_extents, Extents>;
  using local_recipe = typename rows_recipe<Exec, piece_graph, Mapping, typename programs::local_type, local_set,
                                            local_extents, Sums>::type;
  using own_type = std::conditional_t<shares_rows, own_rows<Exec, local_recipe, programs>,
                                      no_own_rows<Exec, local_recipe, programs>>;
  /// Where no row of the table is this rank's, the table holds what travels.
  using Travels = std::conditional_t<Division == part_division::by_edges, Message, void>;
  using tables_type = source_tables<Exec, bound, Bindings, Travels>;
  using remote_set =
      typename own_type::template bindings_with<typename remote_bindings<remote_bound, Bindings, Travels>::type>;
  using remote_recipe =
      typename rows_recipe<Exec, piece_graph, Mapping, typename programs::remote_type, remote_set, Extents, Sums>::type;
  /// Values of rows may lie where gradients come back, while rows are sent.
  static constexpr bool packs_apart = shares_rows && programs::hands_adjoint;
  using exchange_type = source_exchange<Distributed, bound, Bindings, Message, tables_type, packs_apart>;
  using reads_at_local =
      piece_gradients<false, local_bound, std::conditional_t<shares_rows, remote_bound, type_list<>>>;
  using reads_at_remote = piece_gradients<true, remote_bound, type_list<>>;
  /// Does a piece read every operand that all ranks have a copy of?
  template <class Read>
  static constexpr bool reads_all_shared = [] {
    return []<class... L>(type_list<L...>) {
      return (contains_type<L, Read> && ...);
    }(filter_types<is_shared_leaf, bound>{});
  }();

public:
  using leaves = typename program_leaves<Program>::type;
  using accumulator = typename remote_recipe::accumulator;
  using saved_type = divided_saved<typename local_recipe::saved_type, typename remote_recipe::saved_type, tables_type>;
  using policy_type = typename remote_recipe::policy_type;
  static constexpr operand_kind out_kind = remote_recipe::out_kind;
  static constexpr int num_parts = remote_recipe::num_parts;
  static constexpr char const* out_rows_are = remote_recipe::out_rows_are;
  using base::counts;

private:
  template <class L>
  struct is_read_by_local_alone
      : std::bool_constant<shares_rows && L::role_of == role::destination && !contains_type<L, remote_bound>> {};
  using gradients_type =
      local_gradients<Distributed, bound, Bindings, accumulator, Message, Division == part_division::by_edges,
                      filter_types<is_read_by_local_alone, bound>>;

public:
  divided_recipe(Graph const& graph, Program const& program, Bindings const& in, sizing size)
      : base(graph, check_operands<leaves>(in, graph_traits<Graph>::counts(graph)), size),
        pieces_(&graph.first.parts->pieces(Division)),
        local_(pieces_->local.view(), programs::local(program), of_local(in), size),
        own_(shape_of_own(pieces_->local.num_rows())),
        remote_(pieces_->remote.view(), programs::remote(program), of_remote(in, no_tables{}, unmade_values()), size) {
    if (!parts().part().shares_vertices) check_ends_apart(in, source_leaves<bound>{});
  }

  void make(Exec const& exec, Bindings const& in, Mapping const& mapping, policy_type const* policy, same_edges edges) {
    auto const& table = *pieces_->table;
    numbers_.make(exec, parts().part(), role::destination, pieces_->local, pieces_->remote);
    exchange_ = exchange_type(exec, parts(), table, in);
    gradients_.emplace(exec, parts(), table, pieces_->local.num_rows() > 0, in);
    if constexpr (shares_rows) own_.make(exec, parts().part(), local_, gradients_->spare_memory());
    local_.make(exec, of_local(in), mapping, policy, edges);
    remote_.make(exec, of_remote(in, scratch_tables(), unmade_values()), mapping, policy, edges);
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
    if constexpr (requires { remote_.update_constants(exec, std::declval<remote_set const&>()); }) {
      local_.update_constants(exec, of_local(in));
      remote_.update_constants(exec, of_remote(in, scratch_tables(), unmade_values()));
    }
  }
  void check_constants(Bindings const& in, char const* call) const {
    if constexpr (requires { remote_.check_constants(std::declval<remote_set const&>(), call); }) {
      local_.check_constants(of_local(in), call);
      remote_.check_constants(of_remote(in, scratch_tables(), unmade_values()), call);
    }
  }

  /// That of the remote piece.
  decltype(auto) policy() const { return remote_.policy(); }
  std::size_t workspace_bytes() const {
    return local_.workspace_bytes() + remote_.workspace_bytes() + exchange_.size_bytes() + own_.size_bytes() +
           gradients_->size_bytes();
  }
  sent_bytes sent() const { return {exchange_.sent_bytes(), gradients_->sent_bytes()}; }
  saved_type saved(Exec const& exec, shared_mark const& mark) const {
    return {local_.saved(exec, mark), remote_.saved(exec, mark), exchange_.make_tables(exec)};
  }
  std::string explain() const {
    auto const& part = parts().part();
    bool const by_rows = Division == part_division::by_rows;
    return joined(
        "rank ", part.rank, " of ", part.num_ranks, ": ", part.num_destinations(), " of ", part.whole.destinations,
        " rows, ", part.interior.num_destinations(), " of them interior; reads ", part.num_halo_rows(),
        " rows of other ranks, sends ", parts().halo().num_sent_rows(), "\nforward sends ", sent().forward,
        " bytes, backward ", sent().backward, by_rows ? "\ninterior:\n" : "\nedges from sources of this rank:\n",
        local_.explain(),
        by_rows ? "boundary:\n" : "edges from sources of others, and as a self edge what the rank's own come to:\n",
        remote_.explain());
  }
  template <class F>
  auto with_cost(F const& f) const {
    return f(divided_cost<local_recipe, remote_recipe, local_bound, programs>{local_, remote_});
  }

  std::int64_t out_rows() const { return is_of_edges() ? counts().edges : counts().destinations; }
  row_extents out_extents() const { return remote_.out_extents(); }
  template <class View>
  auto with_parts(View const& view) const {
    return remote_.with_parts(view);
  }
  template <class View>
  void check_out_apart(View const& view, Bindings const& in) const {
    constexpr auto written = num_parts > 1 || is_of_edges() ? writes::at_once : writes::after_its_row;
    check_not_operand<leaves, written>(view, in);
  }

  template <class View>
  void forward(Exec const& exec, Bindings const& in, View const& view, saved_type* saved) const {
    if (saved) {
      forward(exec, in, saved->tables, view, saved);
    } else {
      forward(exec, in, scratch_tables(), view, saved);
    }
  }

  template <class Storage>
  using attention = typename remote_recipe::template attention<Storage>;
  template <class View>
  void attention_weights(Exec const& exec, Bindings const& in, saved_type const& saved, View const& weights) const {
    auto const of_piece = [&](part_side const& side) { return rows_of_view(weights, side.first_edge, side.num_edges); };
    local_.attention_weights(exec, of_local(in), saved.local, of_piece(local_side()));
    remote_.attention_weights(exec, of_remote(in, saved.tables, unmade_values()), saved.remote,
                              of_piece(remote_side()));
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
    run_remote(in, saved, adjoint, check, requests...);
    run_local(in, saved, adjoint, check, requests...);
  }
  template <class GradView, class... Request>
  void backward(Exec const& exec, Bindings const& in, saved_type const& saved, output_gradient<GradView> const& adjoint,
                Request const&... requests) const {
    check_backward(in, saved, adjoint, requests...);
    auto const run = [&](auto const& recipe, auto const&... argument) { recipe.backward(exec, argument...); };
    if (!reads_all_shared<remote_bound>) gradients_->template clear_shared<reads_at_remote>(exec, requests...);
    run_remote(in, saved, adjoint, run, requests...);
    gradients_->run(
        exec,
        [&] {
          bool const has_rows = pieces_->local.num_rows() > 0;
          if (!has_rows || !reads_all_shared<local_bound>) {
            gradients_->template clear_shared<reads_at_local>(exec, requests...);
          }
          if (has_rows) run_local(in, saved, adjoint, run, requests...);
        },
        requests...);
    gradients_->add(exec, requests...);
  }

private:
  template <class Tables, class View>
  void forward(Exec const& exec, Bindings const& in, Tables const& tables, View const& view, saved_type* saved) const {
    if constexpr (shares_rows) {
      auto* const kept = saved ? &saved->local : own_.state();
      auto const values = own_.values_for(view, is_read(view, in, bound{}));
      exchange_.run(exec, in, tables, packed_rows(), [&] {
        local_.forward(exec, of_local(in), values, kept);
        own_.note(exec, kept);
      });
      remote_.forward(exec, of_remote(in, tables, values), view, saved ? &saved->remote : nullptr);
      if (saved) own_.template complete<typename Distributed::index_type>(exec, saved->local, saved->remote, view);
    } else {
      exchange_.run(exec, in, tables, packed_rows(), [&] {
        local_.forward(exec, of_local(in), rows_of_result(view, local_side()), saved ? &saved->local : nullptr);
      });
      remote_.forward(exec, of_remote(in, tables, 0), rows_of_result(view, remote_side()),
                      saved ? &saved->remote : nullptr);
    }
  }

  /// Tables of forward passes that keep nothing lie where gradients of the table's rows do.
  struct tables_among_gradients {
    gradients_type const* gradients;
    template <class L>
    auto* of() const {
      return gradients->template memory_of_table<L, typename tables_type::template element_of<L>>();
    }
  };
  tables_among_gradients scratch_tables() const { return {&*gradients_}; }
  /// Rows that are sent are packed where gradients come back.
  struct packed_among_gradients {
    gradients_type const* gradients;
    template <class L, class T>
    T* of() const {
      return gradients->template memory_of_returned<L, T>();
    }
  };
  packed_among_gradients packed_rows() const { return {&*gradients_}; }
  struct no_tables {
    template <class L>
    auto* of() const {
      return unmade_memory<typename tables_type::template element_of<L>>();
    }
  };
  auto shape_of_own([[maybe_unused]] std::int64_t rows) const {
    if constexpr (shares_rows) {
      return own_type(rows, local_.out_extents());
    } else {
      return own_type{};
    }
  }
  /// What the local piece hands over, where only the shape matters.
  auto unmade_values() const {
    if constexpr (shares_rows) {
      return own_.unmade_values();
    } else {
      return 0;
    }
  }
  /// Does the program read memory that a view shares?
  template <class View, class... L>
  static bool is_read(View const& view, Bindings const& in, type_list<L...>) {
    auto const shares = [&]<class Leaf>(type_tag<Leaf>) {
      if constexpr (is_random_leaf<Leaf>) {
        return false;
      } else {
        return share_memory(view, view_for<Leaf>(in));
      }
    };
    return (shares(type_tag<L>{}) || ...);
  }

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

  part_side local_side() const { return side_of(pieces_->local, 0, 0); }
  part_side remote_side() const {
    auto const& local = pieces_->local;
    return side_of(pieces_->remote, local.num_edges() + local.num_rows(), pieces_->remote.first_row);
  }
  template <class Piece>
  part_side side_of(Piece const& piece, std::int64_t first_number, std::int64_t first_row) const {
    return {
        piece.first_row,         piece.num_rows(), piece.first_edge, piece.num_edges(), numbers_.edges(first_number),
        numbers_.rows(first_row)};
  }
  template <class View>
  static View rows_of_result(View const& view, part_side const& side) {
    return is_of_edges() ? rows_of_view(view, side.first_edge, side.num_edges)
                         : rows_of_view(view, side.first_row, side.num_rows);
  }

  local_set of_local(Bindings const& in) const {
    auto const side = local_side();
    auto const own_rows = []<class L, class View>(type_tag<L>, View const& view) { return view; };
    return [&]<class... L>(type_list<L...>) {
      return local_set{make_pack(local_binding<L>(in, side, own_rows)...)};
    }(local_bound{});
  }
  /// values: what the local piece hands over.
  template <class Tables, class Values>
  remote_set of_remote(Bindings const& in, Tables const& tables, [[maybe_unused]] Values const& values) const {
    auto const side = remote_side();
    auto const table = [&]<class L, class View>(type_tag<L>, View const& view) {
      using stored = typename tables_type::template element_of<L>;
      using element = std::conditional_t<std::is_void_v<Travels>, typename View::value_type, stored const>;
      return view_over<element>(tables.template of<L>(), pieces_->table->num_rows(), view);
    };
    return [&]<class... L>(type_list<L...>) {
      if constexpr (shares_rows) {
        return own_.with_bindings(values, [&](auto const&... own) {
          return remote_set{make_pack(remote_binding<L>(in, side, table)..., own...)};
        });
      } else {
        return remote_set{make_pack(remote_binding<L>(in, side, table)...)};
      }
    }(remote_bound{});
  }
  template <class L, class Table>
  static auto remote_binding(Bindings const& in, part_side const& side, Table const& table) {
    return binding<L, typename remote_view<L, view_bound_to<L, Bindings>, Travels>::type>{
        local_operand<L>(view_for<L>(in), side, table)};
  }
  template <class L, class Table>
  static auto local_binding(Bindings const& in, part_side const& side, Table const& table) {
    return binding<L, typename local_view<view_bound_to<L, Bindings>>::type>{
        local_operand<L>(view_for<L>(in), side, table)};
  }

  /// run(recipe, bindings, state, adjoint, requests...) of the remote piece.
  template <class GradView, class Run, class... Request>
  void run_remote(Bindings const& in, saved_type const& saved, output_gradient<GradView> const& adjoint, Run const& run,
                  Request const&... requests) const {
    auto const side = remote_side();
    auto const of_side = output_gradient<GradView>{rows_of_result(adjoint.view, side)};
    auto const values = [&] {
      if constexpr (shares_rows) {
        return own_.values_in_backward(adjoint.view);
      } else {
        return 0;
      }
    }();
    std::apply(
        [&](auto const&... own) { run(remote_, of_remote(in, saved.tables, values), saved.remote, of_side, own...); },
        std::tuple_cat(gradients_->template requests_of<reads_at_remote>(side, requests...),
                       value_request<Request...>()));
  }
  /// The same of the local one.
  template <class GradView, class Run, class... Request>
  void run_local(Bindings const& in, saved_type const& saved, output_gradient<GradView> const& adjoint, Run const& run,
                 Request const&... requests) const {
    auto const side = local_side();
    auto const own_requests = gradients_->template requests_of<reads_at_local>(side, requests...);
    std::apply(
        [&](auto const&... own) {
          if constexpr (!shares_rows) {
            run(local_, of_local(in), saved.local, output_gradient<GradView>{rows_of_result(adjoint.view, side)},
                own...);
          } else if constexpr (sizeof...(own) > 0 && programs::hands_adjoint) {
            run(local_, of_local(in), saved.local, adjoint, own...);
          } else if constexpr (sizeof...(own) > 0) {
            run(local_, of_local(in), saved.local, own_.output_gradient_of_values(), own...);
          }
        },
        own_requests);
  }
  /// The gradient that the local piece's pass begins with, where it is asked for anything.
  template <class... Request>
  auto value_request() const {
    if constexpr (shares_rows && !programs::hands_adjoint &&
                  gradients_type::template asks_of<reads_at_local, Request...>) {
      using view_type = typename own_type::value_view;
      return std::tuple(gradient_request<own_value_leaf, view_type, false>{own_.gradients()});
    } else {
      return std::tuple<>();
    }
  }

  typename Distributed::pieces_type const* pieces_;
  global_numbers<Exec, bound> numbers_;  // before the recipes, whose constructors are shown it
  local_recipe local_;
  own_type own_;  // before the remote piece's recipe, which is shown its shape
  remote_recipe remote_;
  exchange_type exchange_;
  std::optional<gradients_type> gradients_;
};

}  // namespace edgewise::inline v0::detail
