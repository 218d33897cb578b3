// The recipe of a program of several units: one traversal after another, values of vertices between them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>

#include <edgewise/core/memory.hpp>
#include <edgewise/core/size.hpp>
#include <edgewise/cost/cost.hpp>
#include <edgewise/engine/concept.hpp>
#include <edgewise/plan/plan_memory.hpp>
#include <edgewise/plan/recipe/recipe_base.hpp>
#include <edgewise/plan/recipe/rows_recipe.hpp>
#include <edgewise/program/components.hpp>
#include <edgewise/program/units.hpp>

namespace edgewise::inline v0::detail {

template <class... Binding>
binding_set<Binding...> set_of(pack<Binding...> const& items) {
  return {items};
}
template <class... A, class... B>
auto join_bindings(binding_set<A...> const& a, binding_set<B...> const& b) {
  return set_of(join_packs(a.items, b.items));
}
template <class Target, class Leaves, class Set>
inline constexpr bool serves_any = false;
template <class Target, class... Leaf, class Set>
inline constexpr bool serves_any<Target, type_list<Leaf...>, Set> = (serves_leaf<Target, Leaf, Set> || ...);
template <class Target, class Leaves>
inline constexpr bool targets_any = false;
template <class Target, class... Leaf>
inline constexpr bool targets_any<Target, type_list<Leaf...>> = (targets_leaf<Target, Leaf> || ...);
/// Do leaves hold the value of a unit at the source?
template <class Leaves>
inline constexpr bool reads_value_at_source = false;
template <class... Leaf>
inline constexpr bool reads_value_at_source<type_list<Leaf...>> =
    ((is_unit_value<Leaf>::value && Leaf::role_of == role::source) || ...);

/// The bindings from position I on that serve some leaf of Leaves.
template <class Leaves, int I = 0, class... Binding>
auto bindings_of(binding_set<Binding...> const& in) {
  if constexpr (I == sizeof...(Binding)) {
    return binding_set<>{};
  } else {
    using here = type_at<I, type_list<Binding...>>;
    if constexpr (serves_any<typename here::target, Leaves, binding_set<Binding...>>) {
      return join_bindings(set_of(make_pack(get<I>(in.items))), bindings_of<Leaves, I + 1>(in));
    } else {
      return bindings_of<Leaves, I + 1>(in);
    }
  }
}

/// Where the values of units, or their gradients, lie, and their shapes.
template <class T>
struct unit_array {
  T* data = nullptr;
  std::int64_t rows = 0;
  row_extents extents{};

  template <operand_kind Kind, class S = T>
  operand_view<S, Kind> view() const {
    return {data, rows, kind_has_heads(Kind) ? extents.heads : 1, kind_has_channels(Kind) ? extents.channels : 1,
            elements_of_kind(Kind, extents)};
  }
};

/// The types of a chain's units. Unit K's operands are those of the user's that it reads, and values of earlier units,
/// kept in T.
template <class Exec, class Graph, class Mapping, class Program, class Bindings, class Sums>
struct unit_types {
  static constexpr int num_units = Program::num_units;
  static constexpr int num_values = num_units - 1;
  template <int K>
  using leaves = typename program_leaves<type_at<K, typename Program::unit_types>>::type;
  template <int K, int J>
  static constexpr bool reads = J < K&& reads_unit<J, leaves<K>>;

  template <class Sequence>
  struct all_leaves;
  template <int... K>
  struct all_leaves<std::integer_sequence<int, K...>> {
    using type = filter_types<is_no_unit_value, unique_types<concat_types<leaves<K>...>>>;
  };
  /// The operands that a user binds.
  using operands = typename all_leaves<std::make_integer_sequence<int, num_units>>::type;
  using T = typename table_accumulator<typename operand_table<operands, Bindings>::type>::type;
  using arrays = std::array<unit_array<T>, static_cast<std::size_t>(num_values)>;

  template <int K>
  struct unit;
  template <int K, int J>
  static auto bind_value([[maybe_unused]] arrays const& values) {
    if constexpr (reads<K, J>) {
      constexpr operand_kind kind = unit<J>::recipe::out_kind;
      return bindings(bind<unit_value<J>>(values[static_cast<std::size_t>(J)].template view<kind, T const>()));
    } else {
      return binding_set<>{};
    }
  }
  template <int K, int J = 0>
  static auto bind_values(arrays const& values) {
    if constexpr (J >= K) {
      return binding_set<>{};
    } else {
      return join_bindings(bind_value<K, J>(values), bind_values<K, J + 1>(values));
    }
  }
  /// What unit K reads.
  template <int K>
  static auto bind_unit(Bindings const& in, arrays const& values) {
    return join_bindings(bindings_of<leaves<K>>(in), bind_values<K>(values));
  }
  template <int K>
  struct unit {
    using lowered = type_at<K, typename Program::unit_types>;
    using bindings_type = decltype(bind_unit<K>(std::declval<Bindings const&>(), std::declval<arrays const&>()));
    using program = std::remove_cvref_t<decltype(with_components_of(std::declval<lowered const&>(),
                                                                    std::declval<bindings_type const&>()))>;
    using recipe = typename rows_recipe<Exec, Graph, Mapping, program, bindings_type, any_extents, Sums>::type;
    static constexpr operand_kind kind = recipe::out_kind;
  };
  using root = typename unit<num_values>::recipe;

  /// Is unit K needed for these gradients: does it read one of their operands, or the value of a unit that is?
  template <int K, class... Request>
  static consteval bool is_wanted() {
    if constexpr ((targets_any<typename Request::target, leaves<K>> || ...)) {
      return true;
    } else {
      return []<int... J>(std::integer_sequence<int, J...>) {
        return ((reads<K, J> && is_wanted<J, Request...>()) || ...);
      }
      (std::make_integer_sequence<int, K>{});
    }
  }

  /// Does a unit behind K that takes part leave some of a request's gradient, or of unit J's value's?
  template <int K, class R, class... Request>
  static consteval bool is_left_later() {
    return []<int... Later>(std::integer_sequence<int, Later...>) {
      return ((targets_any<typename R::target, leaves<K + 1 + Later>> && is_wanted<K + 1 + Later, Request...>()) ||
              ...);
    }
    (std::make_integer_sequence<int, num_values - K>{});
  }
  template <int K, int J, class... Request>
  static consteval bool is_value_left_later() {
    return []<int... Later>(std::integer_sequence<int, Later...>) {
      return ((reads<K + 1 + Later, J> && is_wanted<K + 1 + Later, Request...>()) || ...);
    }
    (std::make_integer_sequence<int, num_values - K>{});
  }
  template <int K, class R, class... Request>
  static auto own_request() {
    if constexpr (targets_any<typename R::target, leaves<K>>) {
      return type_list<gradient_request<typename R::target, typename R::view_type,
                                        R::accumulates || is_left_later<K, R, Request...>()>>{};
    } else {
      return type_list<>{};
    }
  }
  template <int K, int J, class... Request>
  static auto value_request() {
    if constexpr (reads<K, J>) {
      if constexpr (is_wanted<J, Request...>()) {
        constexpr operand_kind kind = unit<J>::kind;
        return type_list<gradient_request<every_role<unit_value<J>>, operand_view<T, kind>,
                                          is_value_left_later<K, J, Request...>()>>{};
      } else {
        return type_list<>{};
      }
    } else {
      return type_list<>{};
    }
  }
  template <int K, class... Request>
  static auto value_requests() {
    return []<int... J>(std::integer_sequence<int, J...>) {
      return concat_types<type_list<>, decltype(value_request<K, J, Request...>())...>{};
    }
    (std::make_integer_sequence<int, K>{});
  }

  /// Gradients that unit K is asked for: those of the user's operands that it reads, and of values of earlier units
  /// that are needed. The unit that comes first, the last one, overwrites, and others add to what it left.
  template <int K, class... Request>
  using requests_of = concat_types<type_list<>, decltype(own_request<K, Request, Request...>())...,
                                   decltype(value_requests<K, Request...>())>;
};

/// The recipes of units 0 to K, made one after the other: each knows the shapes of what it reads by those before it.
template <class Types, int K>
struct unit_level : unit_level<Types, K - 1> {
  typename Types::template unit<K>::recipe recipe;

  /// values: becomes the shapes of what units make. No memory is there yet.
  template <class Graph, class Program, class Bindings>
  unit_level(Graph const& graph, Program const& program, Bindings const& in, sizing size,
             typename Types::arrays& values)
      : unit_level<Types, K - 1>(graph, program, in, size, values), recipe(make(graph, program, in, size, values)) {
    if constexpr (K < Types::num_values) {
      auto& value = values[static_cast<std::size_t>(K)];
      value = {reinterpret_cast<typename Types::T*>(alignment_of_memory),
               graph_traits<Graph>::counts(graph).destinations, recipe.out_extents()};
    }
  }

private:
  /// Stands for memory that a plan allocates later: shapes and alignment are what is looked at.
  static constexpr std::uintptr_t alignment_of_memory = 256;
  template <class Graph, class Program, class Bindings>
  static auto make(Graph const& graph, Program const& program, Bindings const& in, sizing size,
                   typename Types::arrays const& values) {
    auto const own = Types::template bind_unit<K>(in, values);
    return typename Types::template unit<K>::recipe(graph, with_components_of(get<K>(program.units), own), own, size);
  }
};
template <class Types>
struct unit_level<Types, -1> {
  template <class... Argument>
  explicit unit_level(Argument const&...) {}
};

/// What the forward pass of a chain keeps: the state of each unit, and the values between them, which backward reads.
template <class Types, class Space>
class unit_states {
  template <class Sequence>
  struct states_of;
  template <int... K>
  struct states_of<std::integer_sequence<int, K...>> {
    using type = std::tuple<typename Types::template unit<K>::recipe::saved_type...>;
  };

public:
  typename states_of<std::make_integer_sequence<int, Types::num_units>>::type states;
  std::array<buffer<typename Types::T, Space>, static_cast<std::size_t>(Types::num_values)> values;

  std::size_t size_bytes() const {
    std::size_t bytes = 0;
    for (auto const& x : values) bytes += x.size_bytes();
    return std::apply([&](auto const&... state) { return (bytes + ... + state.size_bytes()); }, states);
  }
  /// Of the gathers of the last unit, as `explain` counts them.
  template <int Gather = 0>
  auto argument() const {
    return last().template argument<Gather>();
  }

  void check_maker(shared_mark const& plan, char const* call) const { last().check_maker(plan, call); }
  /// A pass that threw in one unit has left the others' states of two passes.
  void check_filled(shared_mark const& plan, char const* call) const {
    std::apply([&](auto const&... state) { (state.check_filled(plan, call), ...); }, states);
  }
  template <class Adjoint>
  void check_output_type(char const* call) const {
    last().template check_output_type<Adjoint>(call);
  }
  template <class... Request>
  void check_output_stays(Request const&... requests) const {
    last().check_output_stays(requests...);
  }
  void keep() {
    std::apply([](auto&... state) { (state.keep(), ...); }, states);
  }

private:
  auto const& last() const { return std::get<static_cast<std::size_t>(Types::num_values)>(states); }
};

/// What the passes of a chain cost: those of its units.
template <class Chain>
struct unit_chain_cost {
  Chain const& chain;

  struct all_gradients {};
  using every_gradient = all_gradients;
  using default_output = typename Chain::accumulator;

  template <class Out>
  plan_cost forward(bool saves) const {
    plan_cost all;
    chain.for_each_unit([&]<int K>(index_constant<K>, auto const& recipe) {
      using stored = std::conditional_t<K == Chain::types::num_values, Out, typename Chain::accumulator>;
      append(all, recipe.with_cost([&](auto const& cost) { return cost.template forward<stored>(saves); }));
    });
    return all;
  }
  template <class Out>
  plan_cost backward(all_gradients) const {
    plan_cost all;
    chain.for_each_unit([&](auto, auto const& recipe) {
      append(all, recipe.with_cost([&]<class Cost>(Cost const& cost) {
        return cost.template backward<typename Cost::default_output>(typename Cost::every_gradient{});
      }));
    });
    return all;
  }
  template <class Out, class... Request>
  plan_cost backward(type_list<Request...>) const {
    plan_cost all;
    chain.for_each_unit([&]<int K>(index_constant<K>, auto const& recipe) {
      using stored = std::conditional_t<K == Chain::types::num_values, Out, typename Chain::accumulator>;
      if constexpr (Chain::types::template is_wanted<K, Request...>()) {
        using own = typename Chain::types::template requests_of<K, Request...>;
        append(all, recipe.with_cost([&](auto const& cost) { return cost.template backward<stored>(own{}); }));
      }
    });
    return all;
  }

private:
  static void append(plan_cost& all, plan_cost const& more) {
    all.traversals.insert(all.traversals.end(), more.traversals.begin(), more.traversals.end());
  }
};

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
  using policy_type = typename root::policy_type;
  static constexpr operand_kind out_kind = root::out_kind;
  static constexpr int num_parts = root::num_parts;
  static constexpr char const* out_rows_are = root::out_rows_are;
  static constexpr int num_units = types::num_units;
  static constexpr int num_values = types::num_values;
  using base::counts;

  unit_chain(Graph const& graph, Program const& program, Bindings const& in, sizing size)
      : base(graph, checked_extents(graph, in), size), level_(graph, program, in, size, shapes_) {}

  void make(Exec const& exec, Bindings const& in, Mapping const& mapping, policy_type const* policy, same_edges edges) {
    for_each_value([&](std::size_t k, std::size_t elements) {
      values_[k] = scratch<accumulator, typename Exec::space>(exec, elements);
      gradients_[k] = scratch<accumulator, typename Exec::space>(exec, elements);
    });
    auto const values = own_values();
    for_each_unit([&]<int K>(index_constant<K>, auto& recipe) {
      recipe.make(exec, types::template bind_unit<K>(in, values), mapping, policy, edges);
    });
  }
  void rebuild(Exec const& exec, Graph const& graph) {
    this->take(graph);
    for_each_unit([&](auto, auto& recipe) { recipe.rebuild(exec, graph); });
  }
  static void check_graph(Graph const& graph) {
    root::check_graph(graph);
    constexpr bool hops = []<int... K>(std::integer_sequence<int, K...>) {
      return (reads_value_at_source<typename types::template leaves<K>> || ...);
    }
    (std::make_integer_sequence<int, num_units>{});
    graph_counts const counts = graph_traits<Graph>::counts(graph);
    if (hops && counts.sources != counts.destinations) {
      throw invalid_argument(text("at_source: needs as many sources as destinations, the graph has ", counts.sources,
                                  " and ", counts.destinations));
    }
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

  decltype(auto) policy() const { return last().policy(); }
  std::size_t workspace_bytes() const {
    std::size_t bytes = 0;
    for (auto const& x : values_) bytes += x.size_bytes();
    for (auto const& x : gradients_) bytes += x.size_bytes();
    for_each_unit([&](auto, auto const& recipe) { bytes += recipe.workspace_bytes(); });
    return bytes;
  }
  saved_type saved(Exec const& exec, shared_mark const& mark) const {
    saved_type made;
    for_each_unit([&]<int K>(index_constant<K>, auto const& recipe) {
      std::get<static_cast<std::size_t>(K)>(made.states) = recipe.saved(exec, mark);
    });
    for_each_value([&](std::size_t k, std::size_t elements) {
      made.values[k] = buffer<accumulator, typename Exec::space>(elements, engine::memory(exec), stream_of(exec));
    });
    return made;
  }
  std::string explain() const {
    std::string result = joined(num_units, " units, ", num_values, " values of vertices between them:\n");
    for_each_unit([&]<int K>(index_constant<K>, auto const& recipe) {
      result += joined("unit ", K);
      if constexpr (K < num_values) {
        auto const& shape = shapes_[static_cast<std::size_t>(K)];
        result += joined(", whose value is kept, ",
                         elements_of_kind(types::template unit<K>::kind, shape.extents) *
                             static_cast<std::int64_t>(sizeof(accumulator)),
                         " bytes a vertex");
      }
      result += "\n" + recipe.explain();
    });
    return result + joined("workspace of all units: ", workspace_bytes(), " bytes\n");
  }
  template <class F>
  auto with_cost(F const& f) const {
    return f(unit_chain_cost<unit_chain>{*this});
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
    for_each_unit([&]<int K>(index_constant<K>, auto const& recipe) {
      auto* const state = saved ? &std::get<static_cast<std::size_t>(K)>(saved->states) : nullptr;
      auto const own = types::template bind_unit<K>(in, values);
      if constexpr (K < num_values) {
        constexpr operand_kind kind = types::template unit<K>::kind;
        recipe.forward(exec, own,
                       recipe.with_parts(values[static_cast<std::size_t>(K)].template view<kind, accumulator>()),
                       state);
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

  /// Calls f(index, recipe) for every unit, in order.
  template <class F>
  void for_each_unit(F const& f) const {
    for_each_index_on_host<num_units>([&](auto k) { f(k, unit_at<decltype(k)::value>()); });
  }
  template <class F>
  void for_each_unit(F const& f) {
    for_each_index_on_host<num_units>([&](auto k) { f(k, unit_at<decltype(k)::value>()); });
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

  /// Heads and channels of the operands; the graph is checked first.
  static row_extents checked_extents(Graph const& graph, Bindings const& in) {
    check_graph(graph);
    return check_operands<leaves>(in, graph_traits<Graph>::counts(graph));
  }
  /// Calls f(k, elements) for the value of every unit but the last, with room for the capacity.
  template <class F>
  void for_each_value(F const& f) const {
    for_each_index_on_host<num_values>([&](auto k) {
      constexpr int K = decltype(k)::value;
      f(static_cast<std::size_t>(K),
        static_cast<std::size_t>(size_of_array(
            this->capacity_.destinations,
            elements_of_kind(types::template unit<K>::kind, shapes_[static_cast<std::size_t>(K)].extents))));
    });
  }
  template <class Arrays>
  typename types::arrays values_of(Arrays const& memory) const {
    typename types::arrays values = shapes_;
    for (std::size_t k = 0; k < values.size(); ++k) {
      values[k].data = const_cast<accumulator*>(memory[k].data());
      values[k].rows = counts().destinations;
    }
    return values;
  }
  typename types::arrays own_values() const { return values_of(values_); }

  /// Unit K's request of a type, with its array.
  template <class Own, class... Request>
  auto request_as(type_tag<Own>, Request const&... requests) const {
    return Own{view_for_request<typename Own::target>(requests...)};
  }
  template <class Target, class First, class... Rest>
  auto view_for_request(First const& first, Rest const&... rest) const {
    if constexpr (std::is_same_v<Target, typename First::target>) {
      return first.view;
    } else {
      return view_for_request<Target>(rest...);
    }
  }
  template <int J, class View, bool Adds, class... Request>
  auto request_as(type_tag<gradient_request<every_role<unit_value<J>>, View, Adds>>, Request const&...) const {
    return gradient_request<every_role<unit_value<J>>, View, Adds>{gradient_array<J>().template view<View::kind>()};
  }
  template <int J>
  unit_array<accumulator> gradient_array() const {
    unit_array<accumulator> array = shapes_[static_cast<std::size_t>(J)];
    array.data = gradients_[static_cast<std::size_t>(J)].data();
    array.rows = counts().destinations;
    return array;
  }

  /// Runs units K to 0 backward, or checks alone whether they can run.
  template <int K, bool Runs, class Adjoint, class... Request>
  void run_backward(Exec const& exec, Bindings const& in, saved_type const& saved, typename types::arrays const& values,
                    Adjoint const& adjoint, Request const&... requests) const {
    if constexpr (types::template is_wanted<K, Request...>()) {
      run_unit<K, Runs>(exec, in, saved, values, adjoint, typename types::template requests_of<K, Request...>{},
                        requests...);
    }
    if constexpr (K > 0) {
      constexpr operand_kind kind = types::template unit<K - 1>::kind;
      auto const before = unit_at<K - 1>().with_parts(gradient_array<K - 1>().template view<kind, accumulator const>());
      run_backward<K - 1, Runs>(exec, in, saved, values, output_gradient<std::remove_const_t<decltype(before)>>{before},
                                requests...);
    }
  }
  template <int K, bool Runs, class Adjoint, class... Own, class... Request>
  void run_unit(Exec const& exec, Bindings const& in, saved_type const& saved, typename types::arrays const& values,
                Adjoint const& adjoint, type_list<Own...>, Request const&... requests) const {
    using recipe = typename types::template unit<K>::recipe;
    static_assert(recipe::template require_gradients<std::remove_cvref_t<decltype(adjoint.view)>, Own...>::ok);
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
