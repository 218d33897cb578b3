// Units of vertices alone over a part: recipes of one process, whose gradients of parameters are summed over the ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <edgewise/distributed/distributed_view.hpp>
#include <edgewise/distributed/divided_cost.hpp>
#include <edgewise/distributed/global_numbers.hpp>
#include <edgewise/distributed/local_operands.hpp>
#include <edgewise/distributed/shared_gradients.hpp>
#include <edgewise/plan/recipe/unit_plan.hpp>
#include <edgewise/program/bindings.hpp>

namespace edgewise::inline v0::detail {

/// Each rank computes the rows of its vertices; nothing is exchanged but gradients of what all ranks have. Inner: the
/// recipe, of Local bindings; Rows: whose vertices the rows are.
template <class Inner, class Exec, class Graph, class Leaves, class Bindings, class Local, role Rows>
class summed_rows {
  using Distributed = typename decltype(Graph::first)::distributed_type;
  using A = typename Inner::accumulator;

public:
  using exec_type = Exec;
  using graph_type = Graph;
  using bindings_type = Bindings;
  using policy_type = typename Inner::policy_type;
  using leaves = typename Inner::leaves;
  using accumulator = A;
  using saved_type = typename Inner::saved_type;
  static constexpr operand_kind out_kind = Inner::out_kind;
  static constexpr int num_parts = Inner::num_parts;
  static constexpr operand_kind part_kind = [] {
    if constexpr (requires { Inner::part_kind; }) {
      return Inner::part_kind;
    } else {
      return Inner::out_kind;
    }
  }();
  static constexpr char const* out_rows_are = Inner::out_rows_are;

  template <class Program>
  summed_rows(Graph const& graph, Program const& program, Bindings const& in, sizing size)
      : parts_(graph.first.parts), inner_(graph, program, local(in), size) {}

  template <class... How>
  void make(Exec const& exec, Bindings const& in, How const&... how) {
    numbers_.make(exec, parts_->part(), Rows);
    shared_.emplace(exec, parts_->comm(), in);
    inner_.make(exec, local(in), how...);
  }
  static void refuse_rebuild() {}
  void rebuild(Exec const& exec, Graph const& graph) { inner_.rebuild(exec, graph); }
  static void check_graph(Graph const&) {}

  Graph const& graph() const { return inner_.graph(); }
  auto counts() const { return inner_.counts(); }
  auto extents() const { return inner_.extents(); }
  std::size_t workspace_bytes() const { return inner_.workspace_bytes() + shared_->size_bytes(); }
  sent_bytes sent() const { return {0, shared_->sent_bytes()}; }
  saved_type saved(Exec const& exec, shared_mark const& mark) const { return inner_.saved(exec, mark); }
  std::string explain() const { return inner_.explain(); }
  std::string along_edges_text(std::int64_t edges) const requires requires(Inner const& inner) {
    inner.along_edges_text(edges);
  }
  { return inner_.along_edges_text(edges); }
  template <class F>
  auto with_cost(F const& f) const {
    return inner_.with_cost(f);
  }
  std::int64_t out_rows() const { return inner_.out_rows(); }
  row_extents out_extents() const { return inner_.out_extents(); }
  template <class View>
  auto with_parts(View const& view) const {
    return inner_.with_parts(view);
  }
  void check_shapes(Bindings const& in) const { inner_.check_shapes(local(in)); }

  template <class View>
  void forward(Exec const& exec, Bindings const& in, View const& view, saved_type* saved) const {
    inner_.forward(exec, local(in), view, saved);
  }

  template <class Storage>
  using attention = typename Inner::template attention<Storage>;

  template <class GradView, class... Request>
  struct require_gradients {
    static constexpr bool ok = true;
  };
  template <class GradView, class... Request>
  void check_backward(Bindings const& in, saved_type const& saved, output_gradient<GradView> const& adjoint,
                      Request const&... requests) const {
    std::apply([&](auto const&... own) { inner_.check_backward(local(in), saved, adjoint, own...); },
               std::tuple_cat(shared_->own_requests(0, requests)...));
  }
  template <class GradView, class... Request>
  void backward(Exec const& exec, Bindings const& in, saved_type const& saved, output_gradient<GradView> const& adjoint,
                Request const&... requests) const {
    std::apply([&](auto const&... own) { inner_.backward(exec, local(in), saved, adjoint, own...); },
               std::tuple_cat(shared_->own_requests(0, requests)...));
    shared_->add(exec, 1, requests...);
  }

private:
  Local local(Bindings const& in) const {
    part_side side{};
    side.row_numbers = numbers_.rows(0);
    return [&]<class... L>(type_list<L...>) {
      return Local{make_pack(binding<L, typename local_view<view_bound_to<L, Bindings>>::type>{
          whole_operand<L>(view_for<L>(in), side)}...)};
    }(Leaves{});
  }

  Distributed const* parts_;
  global_numbers<Exec, Leaves> numbers_;
  Inner inner_;
  std::optional<shared_gradients<Exec, typename Distributed::communicator_type, Leaves, Bindings, A>> shared_;
};

/// What a unit of vertices is bound with.
template <class Unit>
using unit_leaves = typename whole_leaves<filter_types<is_leaf_of_operand, typename bound_leaves<Unit>::type>>::type;

template <class Exec, class Distributed, class Message, class Program, class Set, role Rows>
struct vertex_recipe<Exec, graph<distributed_view<Distributed, Message>>, Program, Set, Rows> {
  using leaves = unit_leaves<Program>;
  using local_set = typename local_bindings<leaves, Set>::type;
  using G = graph<distributed_view<Distributed, Message>>;
  using type = summed_rows<vertex_rows<Exec, G, Program, local_set, Rows>, Exec, G, leaves, Set, local_set, Rows>;
};
template <class Exec, class Distributed, class Message, class Unit, class Set, class T, role Rows>
struct dense_recipe<Exec, graph<distributed_view<Distributed, Message>>, Unit, Set, T, Rows> {
  static_assert(!has_row_types<view_bound_to<typename Unit::product::matrix, Set>>,
                "by_type: is not to be had over a distributed graph; bind one matrix for all rows "
                "(distributed/fuse_distributed.hpp)");
  using leaves = unit_leaves<Unit>;
  using local_set = typename local_bindings<leaves, Set>::type;
  using G = graph<distributed_view<Distributed, Message>>;
  using type = summed_rows<dense_rows<Exec, G, Unit, local_set, T, Rows>, Exec, G, leaves, Set, local_set, Rows>;
};

}  // namespace edgewise::inline v0::detail
