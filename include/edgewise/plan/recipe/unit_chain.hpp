// The recipe of a program of several units: one traversal after another, values of vertices between them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include <edgewise/core/memory.hpp>
#include <edgewise/core/size.hpp>
#include <edgewise/engine/concept.hpp>
#include <edgewise/plan/plan_memory.hpp>
#include <edgewise/plan/recipe/recipe_base.hpp>
#include <edgewise/plan/recipe/unit_chain_cost.hpp>
#include <edgewise/plan/recipe/unit_level.hpp>
#include <edgewise/plan/recipe/unit_states.hpp>
#include <edgewise/plan/recipe/unit_types.hpp>

namespace edgewise::inline v0::detail {

/// Units run one after the other, forward in order and backward in reverse; what crosses from one to another is a value
/// for every vertex, of float or double as the units accumulate, and its gradient. Memory: the values in `saved`, or in
/// the plan without it, the gradients in the plan.
template <class Exec, class Graph, class Mapping, class Program, class Bindings, class Sums>
class unit_chain : public recipe_base<Exec, Graph, Bindings> {
  using base = recipe_base<Exec, Graph, Bindings>;
  using engine = detail::engine<Exec>;

public:
  using types = unit_types<Exec, Graph, Mapping, Program, Bindings, Sums>;
  using leaves = typename types::operands;
  using accumulator = typename types::T;
  using root = typename types::root;
  using saved_type = unit_states<types, typename Exec::space>;
  using policy_type = typename types::last_traversal::policy_type;
  static constexpr operand_kind out_kind = root::out_kind;
  static constexpr int num_parts = root::num_parts;
  static constexpr char const* out_rows_are = root::out_rows_are;
  static constexpr int num_units = types::num_units;
  static constexpr int num_values = types::num_values;
  using base::counts;

  unit_chain(Graph const& graph, Program const& program, Bindings const& in, sizing size)
      : base(checked(graph, in), {}, size), level_(graph, program, in, size, shapes_) {}

  void make(Exec const& exec, Bindings const& in, Mapping const& mapping, policy_type const* policy, same_edges edges) {
    for_each_value([&](std::size_t k, std::size_t elements) {
      values_[k] = scratch<accumulator, typename Exec::space>(exec, elements);
      gradients_[k] = scratch<accumulator, typename Exec::space>(exec, elements);
    });
    auto const values = own_values();
    for_each_running([&]<int K>(index_constant<K>, auto& recipe) {
      recipe.make(exec, types::template bind_unit<K>(in, values), mapping, policy, edges);
    });
  }
  void rebuild(Exec const& exec, Graph const& graph) {
    this->take(graph);
    for_each_unit([&](auto, auto& recipe) { recipe.rebuild(exec, graph); });
  }
  static void check_graph(Graph const& graph) {
    for_each_index_on_host<num_units>([&](auto k) {
      constexpr int K = decltype(k)::value;
      if constexpr (!types::template is_part<K>) types::template unit<K>::recipe::check_graph(graph);
    });
    graph_counts const counts = graph_traits<Graph>::counts(graph);
    if (types::crosses_any && !has_one_vertex_set(graph)) {
      throw invalid_argument(text("at_source: needs as many sources as destinations, the graph has ", counts.sources,
                                  " and ", counts.destinations,
                                  counts.sources == counts.destinations ? ", which are owned apart" : "",
                                  "; so do products of an operand that both ends read"));
    }
  }
  row_extents extents() const { return last().extents(); }
  /// Units have rows of their own.
  void check_shapes(Bindings const& in) const {
    check_streams<leaves>(in);
    auto const values = own_values();
    for_each_unit([&]<int K, class Recipe>(index_constant<K>, Recipe const& recipe) {
      auto const own = types::template bind_unit<K>(in, values);
      if constexpr (requires { recipe.check_shapes(own); }) {
        recipe.check_shapes(own);
      } else {
        check_extents<typename Recipe::leaves>(own, recipe.extents(), this->counts());
      }
    });
  }
  void update_constants(Exec const& exec, Bindings const& in) {
    auto const values = own_values();
    for_each_unit([&]<int K, class Recipe>(index_constant<K>, Recipe& recipe) {
      if constexpr (requires { recipe.update_constants(exec, types::template bind_unit<K>(in, values)); }) {
        recipe.update_constants(exec, types::template bind_unit<K>(in, values));
      }
    });
  }
  void check_constants(Bindings const& in, char const* call) const {
    auto const values = own_values();
    for_each_unit([&]<int K, class Recipe>(index_constant<K>, Recipe const& recipe) {
      if constexpr (requires { recipe.check_constants(types::template bind_unit<K>(in, values), call); }) {
        recipe.check_constants(types::template bind_unit<K>(in, values), call);
      }
    });
  }

  decltype(auto) policy() const { return unit_at<types::last_traversal_number>().policy(); }
  std::size_t workspace_bytes() const {
    std::size_t bytes = 0;
    for (auto const& x : values_) bytes += x.size_bytes();
    for (auto const& x : gradients_) bytes += x.size_bytes();
    for_each_unit([&](auto, auto const& recipe) { bytes += recipe.workspace_bytes(); });
    return bytes;
  }
  saved_type saved(Exec const& exec, shared_mark const& mark) const {
    saved_type made;
    for_each_running([&]<int K>(index_constant<K>, auto const& recipe) {
      std::get<static_cast<std::size_t>(K)>(made.states) = recipe.saved(exec, mark);
    });
    for_each_value([&](std::size_t k, std::size_t elements) {
      made.values[k] = buffer<accumulator, typename Exec::space>(elements, engine::memory(exec), stream_of(exec));
    });
    return made;
  }
  std::string explain() const {
    std::int64_t const edges = this->counts().edges;
    int count = 0;
    for_each_running([&](auto, auto const&) { ++count; });
    std::string result = joined(count, " units, ", count - 1, " values of vertices between them:\n");
    for_each_running([&]<int K>(index_constant<K>, auto const& recipe) {
      result += joined("unit ", K);
      for_each_index_on_host<num_values>([&](auto j) {
        constexpr int J = decltype(j)::value;
        if (J != K && types::template place<J>::unit == K) result += joined(" and ", J);
      });
      if constexpr (K < num_values) {
        result +=
            joined(", whose value is kept, ",
                   recipe.num_parts *
                       elements_of_kind(types::template value_kind<K>(), shapes_[static_cast<std::size_t>(K)].extents) *
                       static_cast<std::int64_t>(sizeof(accumulator)),
                   " bytes a ", types::template rows<K> == role::source ? "source" : "vertex");
      }
      result += "\n" + recipe.explain();
      if constexpr (requires { recipe.along_edges_text(edges); }) {
        if (types::template is_read_along_edges<K>) result += recipe.along_edges_text(edges);
      }
    });
    return result + joined("workspace of all units: ", workspace_bytes(), " bytes\n");
  }
  template <class F>
  auto with_cost(F const& f) const {
    return f(unit_chain_cost<unit_chain>{*this});
  }
  /// Over a distributed graph: the bytes of all units.
  auto sent() const requires requires(root const& unit) { unit.sent(); } {
    decltype(std::declval<root const&>().sent()) all{};
    for_each_running([&](auto, auto const& recipe) {
      all.forward += recipe.sent().forward;
      all.backward += recipe.sent().backward;
    });
    return all;
  }

  std::int64_t out_rows() const { return last().out_rows(); }
  row_extents out_extents() const { return last().out_extents(); }
  template <class View>
  auto with_parts(View const& view) const {
    return last().with_parts(view);
  }
  /// Earlier units read all rows of operands; so does their backward pass.
  template <class View>
  void check_out_apart(View const& view, Bindings const& in) const {
    check_not_operand<leaves, writes::at_once>(view, in);
  }

  template <class View>
  void forward(Exec const& exec, Bindings const& in, View const& view, saved_type* saved) const {
    auto const values = saved ? values_of(saved->values) : own_values();
    for_each_running([&]<int K>(index_constant<K>, auto const& recipe) {
      auto* const state = saved ? &std::get<static_cast<std::size_t>(K)>(saved->states) : nullptr;
      auto const own = types::template bind_unit<K>(in, values);
      if constexpr (K < num_values) {
        recipe.forward(exec, own, whole_value<K, accumulator>(values[static_cast<std::size_t>(K)]), state);
      } else {
        recipe.forward(exec, own, view, state);
      }
    });
  }

  template <class Storage>
  using attention = typename root::template attention<Storage>;
  template <class View>
  void attention_weights(Exec const& exec, Bindings const& in, saved_type const& saved, View const& weights) const {
    last().attention_weights(exec, types::template bind_unit<num_values>(in, values_of(saved.values)),
                             std::get<static_cast<std::size_t>(num_values)>(saved.states), weights);
  }

  template <class GradView, class... Request>
  struct require_gradients {
    template <class R>
    static constexpr bool is_read = targets_any<typename R::target, leaves>;
    static_assert((require_gradient_target<typename Request::target, is_read<Request>>::ok && ...));
    static_assert((types::template is_of_one_unit<typename Request::target>() && ...),
                  "backward: a gradient is asked for one role of an operand whose product serves both; ask for it by "
                  "name, grad<h>, or bind the roles apart, bind<src<h>> and bind<dst<h>> (program/shared_units.hpp)");
    static constexpr bool ok = true;
  };
  template <class GradView, class... Request>
  void backward(Exec const& exec, Bindings const& in, saved_type const& saved, output_gradient<GradView> const& adjoint,
                Request const&... requests) const {
    auto const values = values_of(saved.values);
    // All units are checked before the first one writes.
    run_backward<num_values, false>(exec, in, saved, values, adjoint, requests...);
    run_backward<num_values, true>(exec, in, saved, values, adjoint, requests...);
  }

  /// Calls f(index, recipe) for every unit that runs, in order.
  template <class F>
  void for_each_running(F const& f) const {
    for_each_unit([&]<int K>(index_constant<K> k, auto const& recipe) {
      if constexpr (types::template runs<K>) f(k, recipe);
    });
  }
  template <class F>
  void for_each_running(F const& f) {
    for_each_unit([&]<int K>(index_constant<K> k, auto& recipe) {
      if constexpr (types::template runs<K>) f(k, recipe);
    });
  }
  /// Calls f(index, recipe) for every unit that has one, in order.
  template <class F>
  void for_each_unit(F const& f) const {
    for_each_index_on_host<num_units>([&](auto k) {
      if constexpr (!types::template is_part<decltype(k)::value>) f(k, unit_at<decltype(k)::value>());
    });
  }
  template <class F>
  void for_each_unit(F const& f) {
    for_each_index_on_host<num_units>([&](auto k) {
      if constexpr (!types::template is_part<decltype(k)::value>) f(k, unit_at<decltype(k)::value>());
    });
  }

private:
  template <int K>
  auto const& unit_at() const {
    return static_cast<unit_level<types, K> const&>(level_).recipe;
  }
  template <int K>
  auto& unit_at() {
    return static_cast<unit_level<types, K>&>(level_).recipe;
  }
  root const& last() const { return unit_at<num_values>(); }

  /// The graph, on which the program can run.
  static Graph const& checked(Graph const& graph, Bindings const& in) {
    check_graph(graph);
    check_streams<leaves>(in);
    return graph;
  }
  /// Calls f(k, elements) for the value of every unit but the last, with room for the capacity.
  template <class F>
  void for_each_value(F const& f) const {
    for_each_index_on_host<num_values>([&](auto k) {
      constexpr int K = decltype(k)::value;
      if constexpr (types::template runs<K>) {
        auto shape = shapes_[static_cast<std::size_t>(K)];
        shape.rows = rows_of_role(types::template rows<K>, this->capacity_);
        f(static_cast<std::size_t>(K),
          static_cast<std::size_t>(unit_at<K>().num_parts * shape.elements(types::template value_kind<K>())));
      }
    });
  }
  template <class Arrays>
  typename types::arrays values_of(Arrays const& memory) const {
    typename types::arrays values = shapes_;
    for_each_index_on_host<num_values>([&](auto k) {
      constexpr int K = decltype(k)::value;
      auto& value = values[static_cast<std::size_t>(K)];
      if (types::template runs<K>) value.data = const_cast<accumulator*>(memory[static_cast<std::size_t>(K)].data());
      value.rows = rows_of_role(types::template rows<K>, counts());
      if constexpr (types::template is_part<K>) value = types::template part_of<K>(values);
    });
    return values;
  }
  typename types::arrays own_values() const { return values_of(values_); }

  /// What a unit is asked for, with its array.
  template <class Asked, class Own, class... Request>
  auto request_as(type_tag<user_request<Asked, Own>>, Request const&... requests) const {
    return Own{view_for_request<typename Asked::target>(requests...)};
  }
  template <class Target, class First, class... Rest>
  auto view_for_request(First const& first, Rest const&... rest) const {
    if constexpr (std::is_same_v<Target, typename First::target>) {
      return first.view;
    } else {
      return view_for_request<Target>(rest...);
    }
  }
  template <int J, class Own, class... Request>
  auto request_as(type_tag<value_gradient<J, Own>>, Request const&...) const {
    return Own{gradient_array<J>().template view<Own::view_type::kind>()};
  }
  template <int J>
  unit_array<accumulator> gradient_array() const {
    return values_of(gradients_)[static_cast<std::size_t>(J)];
  }
  /// All that unit K computes, of which its value may be a part.
  template <int K, class S>
  auto whole_value(unit_array<accumulator> const& array) const {
    constexpr operand_kind kind = types::template value_kind<K>();
    auto const view = array.template view<kind, S>();
    if constexpr (types::template unit<K>::recipe::num_parts > 1) {
      return parts_view<S, kind>{view, array.elements(kind)};
    } else {
      return unit_at<K>().with_parts(view);
    }
  }

  /// Runs units K to 0 backward, or checks alone whether they can run.
  template <int K, bool Runs, class Adjoint, class... Request>
  void run_backward(Exec const& exec, Bindings const& in, saved_type const& saved, typename types::arrays const& values,
                    Adjoint const& adjoint, Request const&... requests) const {
    if constexpr (!types::template is_part<K> && types::template is_wanted<K, Request...>()) {
      run_unit<K, Runs>(exec, in, saved, values, adjoint, typename types::template asked_of<K, Request...>{},
                        requests...);
    }
    if constexpr (K > 0 && types::template is_part<K - 1>) {
      run_backward<K - 1, Runs>(exec, in, saved, values, adjoint, requests...);
    } else if constexpr (K > 0) {
      auto const before = whole_value<K - 1, accumulator const>(gradient_array<K - 1>());
      run_backward<K - 1, Runs>(exec, in, saved, values, output_gradient<std::remove_const_t<decltype(before)>>{before},
                                requests...);
    }
  }
  template <int K, bool Runs, class Adjoint, class... Own, class... Request>
  void run_unit(Exec const& exec, Bindings const& in, saved_type const& saved, typename types::arrays const& values,
                Adjoint const& adjoint, type_list<Own...>, Request const&... requests) const {
    using recipe = typename types::template unit<K>::recipe;
    static_assert(
        recipe::template require_gradients<std::remove_cvref_t<decltype(adjoint.view)>, typename Own::request...>::ok);
    auto const own = types::template bind_unit<K>(in, values);
    auto const& state = std::get<static_cast<std::size_t>(K)>(saved.states);
    if constexpr (Runs) {
      unit_at<K>().backward(exec, own, state, adjoint, request_as(type_tag<Own>{}, requests...)...);
    } else {
      unit_at<K>().check_backward(own, state, adjoint, request_as(type_tag<Own>{}, requests...)...);
    }
  }

  typename types::arrays shapes_;  // before the units, which fill it
  unit_level<types, num_values> level_;
  std::array<scratch<accumulator, typename Exec::space>, static_cast<std::size_t>(num_values)> values_;
  std::array<scratch<accumulator, typename Exec::space>, static_cast<std::size_t>(num_values)> gradients_;
};

}  // namespace edgewise::inline v0::detail
