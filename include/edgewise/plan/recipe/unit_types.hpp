// What each unit of a chain reads, its recipe, and the gradients that it is asked for.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <edgewise/core/size.hpp>
#include <edgewise/engine/concept.hpp>
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

}  // namespace edgewise::inline v0::detail
