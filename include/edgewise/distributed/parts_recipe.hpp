// The recipe of one traversal over a part of a graph: divided by rows, or by edges where that hides more of what
// travels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include <edgewise/distributed/distributed_view.hpp>
#include <edgewise/distributed/divided_recipe.hpp>
#include <edgewise/distributed/part_pieces.hpp>
#include <edgewise/distributed/part_programs.hpp>
#include <edgewise/plan/recipe/recipe_base.hpp>
#include <edgewise/plan/recipe/rows_recipe.hpp>

namespace edgewise::inline v0::detail {

/// What a forward pass over a part keeps, whichever way it is divided.
template <class ByRows, class ByEdges>
class parts_saved {
public:
  parts_saved() = default;
  parts_saved(ByRows made) : made_(std::move(made)) {}
  parts_saved(ByEdges made) : made_(std::move(made)) {}

  template <class Saved>
  Saved& as() {
    return std::get<Saved>(made_);
  }
  template <class Saved>
  Saved const& as() const {
    return std::get<Saved>(made_);
  }

  std::size_t size_bytes() const {
    return std::visit([](auto const& made) { return made.size_bytes(); }, made_);
  }
  template <int Gather = 0>
  void argument() const {
    std::get<ByRows>(made_).template argument<Gather>();
  }
  void check_maker(shared_mark const& plan, char const* call) const {
    std::visit([&](auto const& made) { made.check_maker(plan, call); }, made_);
  }
  void check_filled(shared_mark const& plan, char const* call) const {
    std::visit([&](auto const& made) { made.check_filled(plan, call); }, made_);
  }
  template <class Adjoint>
  void check_output_type(char const* call) const {
    std::visit([&](auto const& made) { made.template check_output_type<Adjoint>(call); }, made_);
  }
  template <class... Request>
  void check_output_stays(Request const&... requests) const {
    std::visit([&](auto const& made) { made.check_output_stays(requests...); }, made_);
  }
  void keep() {
    std::visit([](auto& made) { made.keep(); }, made_);
  }

private:
  std::variant<ByRows, ByEdges> made_;
};

/// The recipe of a sum, whose messages may be added up piece by piece: `division_of` the part decides. Ranks need not
/// decide alike.
template <class Exec, class Graph, class Mapping, class Program, class Bindings, class Extents, class Sums>
class parts_recipe : public recipe_base<Exec, Graph, Bindings> {
  using base = recipe_base<Exec, Graph, Bindings>;
  using by_rows =
      divided_recipe<part_division::by_rows, programs_by_rows, Exec, Graph, Mapping, Program, Bindings, Extents, Sums>;
  using by_edges = divided_recipe<part_division::by_edges, programs_by_edges, Exec, Graph, Mapping, Program, Bindings,
                                  Extents, Sums>;

public:
  using leaves = typename by_rows::leaves;
  using accumulator = typename by_rows::accumulator;
  using saved_type = parts_saved<typename by_rows::saved_type, typename by_edges::saved_type>;
  using policy_type = typename by_rows::policy_type;
  static constexpr operand_kind out_kind = by_rows::out_kind;
  static constexpr int num_parts = by_rows::num_parts;
  static constexpr char const* out_rows_are = by_rows::out_rows_are;
  template <class Storage>
  using attention = typename by_rows::template attention<Storage>;
  template <class GradView, class... Request>
  using require_gradients = typename by_rows::template require_gradients<GradView, Request...>;

  parts_recipe(Graph const& graph, Program const& program, Bindings const& in, sizing size)
      : base(graph, check_operands<leaves>(in, graph_traits<Graph>::counts(graph)), size) {
    if (division_of(graph.first.parts->part()) == part_division::by_edges) {
      by_edges_.emplace(graph, program, in, size);
    } else {
      by_rows_.emplace(graph, program, in, size);
    }
  }
  template <class... How>
  void make(Exec const& exec, Bindings const& in, How const&... how) {
    if (by_edges_) {
      by_edges_->make(exec, in, how...);
    } else {
      by_rows_->make(exec, in, how...);
    }
  }
  static void refuse_rebuild() { by_rows::refuse_rebuild(); }
  static void check_graph(Graph const& graph) { by_rows::check_graph(graph); }
  void update_constants(Exec const& exec, Bindings const& in) {
    if (by_edges_) {
      by_edges_->update_constants(exec, in);
    } else {
      by_rows_->update_constants(exec, in);
    }
  }
  void check_constants(Bindings const& in, char const* call) const {
    with_recipe([&](auto const& r) { r.check_constants(in, call); });
  }

  policy_type const& policy() const {
    return with_recipe([](auto const& r) -> policy_type const& { return r.policy(); });
  }
  std::size_t workspace_bytes() const {
    return with_recipe([](auto const& r) { return r.workspace_bytes(); });
  }
  sent_bytes sent() const {
    return with_recipe([](auto const& r) { return r.sent(); });
  }
  saved_type saved(Exec const& exec, shared_mark const& mark) const {
    return with_recipe([&](auto const& r) -> saved_type { return r.saved(exec, mark); });
  }
  std::string explain() const {
    return with_recipe([](auto const& r) { return r.explain(); });
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
    with_recipe([&]<class Recipe>(Recipe const& r) {
      r.forward(exec, in, view, saved ? &saved->template as<typename Recipe::saved_type>() : nullptr);
    });
  }
  template <class View>
  void attention_weights(Exec const& exec, Bindings const& in, saved_type const& saved, View const& weights) const {
    with_recipe([&]<class Recipe>(Recipe const& r) {
      r.attention_weights(exec, in, saved.template as<typename Recipe::saved_type>(), weights);
    });
  }
  template <class GradView, class... Request>
  void check_backward(Bindings const& in, saved_type const& saved, output_gradient<GradView> const& adjoint,
                      Request const&... requests) const {
    with_recipe([&]<class Recipe>(Recipe const& r) {
      r.check_backward(in, saved.template as<typename Recipe::saved_type>(), adjoint, requests...);
    });
  }
  template <class GradView, class... Request>
  void backward(Exec const& exec, Bindings const& in, saved_type const& saved, output_gradient<GradView> const& adjoint,
                Request const&... requests) const {
    with_recipe([&]<class Recipe>(Recipe const& r) {
      r.backward(exec, in, saved.template as<typename Recipe::saved_type>(), adjoint, requests...);
    });
  }

private:
  template <class F>
  decltype(auto) with_recipe(F const& f) const {
    return by_edges_ ? f(*by_edges_) : f(*by_rows_);
  }

  std::optional<by_rows> by_rows_;
  std::optional<by_edges> by_edges_;
};

template <class Bound>
struct has_channels_alone : std::bool_constant<Bound::kind == operand_kind::per_channel> {};
template <class Bound>
struct has_heads : std::bool_constant<kind_has_heads(Bound::kind)> {};

/// The recipe of a program over a part.
template <class Exec, class Graph, class Mapping, class Program, class Bindings, class Extents, class Sums>
struct part_recipe {
  /// Messages with channels and no heads are of one head, whatever the program around them has.
  template <class Table>
  static constexpr bool keeps_axes =
      filter_types<has_channels_alone, Table>::size == 0 || filter_types<has_heads, Table>::size > 0;
  template <class Programs>
  static consteval bool may_share_rows() {
    if constexpr (Programs::shares_rows && !is_tensor_core<Mapping>) {
      using local = typename Programs::local_type;
      using set = typename local_bindings<leaves_to_bind<local>, Bindings>::type;
      return keeps_axes<typename operand_table<typename program_leaves<local>::type, set>::type>;
    } else {
      return false;
    }
  }
  static constexpr bool may_divide_edges = may_share_rows<programs_by_edges<Program>>();
  template <bool MayDivideEdges>
  static auto find() {
    if constexpr (MayDivideEdges) {
      return type_tag<parts_recipe<Exec, Graph, Mapping, Program, Bindings, Extents, Sums>>{};
    } else {
      return type_tag<divided_recipe<part_division::by_rows, programs_by_rows, Exec, Graph, Mapping, Program, Bindings,
                                     Extents, Sums>>{};
    }
  }
  using type = typename decltype(find<may_divide_edges>())::type;
};

template <class Exec, class Distributed, class Message, class Mapping, class Program, class Bindings, class Extents,
          class Sums>
struct rows_recipe<Exec, graph<distributed_view<Distributed, Message>>, Mapping, Program, Bindings, Extents, Sums>
    : part_recipe<Exec, graph<distributed_view<Distributed, Message>>, Mapping, Program, Bindings, Extents, Sums> {};
template <class Exec, class Distributed, class Message, class Mapping, class Aggregation, class Bindings, class Extents,
          class Sums>
struct rows_recipe<Exec, graph<distributed_view<Distributed, Message>>, Mapping, edge_program<Aggregation>, Bindings,
                   Extents, Sums> : part_recipe<Exec, graph<distributed_view<Distributed, Message>>, Mapping,
                                                edge_program<Aggregation>, Bindings, Extents, Sums> {};

}  // namespace edgewise::inline v0::detail
