// What each unit of a chain reads, its recipe, and the gradients that it is asked for.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

#include <edgewise/plan/recipe/rows_recipe.hpp>
#include <edgewise/plan/recipe/unit_bindings.hpp>
#include <edgewise/plan/recipe/unit_plan.hpp>
#include <edgewise/program/units.hpp>

namespace edgewise::inline v0::detail {

/// The types of a chain's units. Unit K's operands are those of the user's that it reads, and values of earlier units,
/// kept in T.
template <class Exec, class Graph, class Mapping, class Program, class Bindings, class Sums>
struct unit_types {
  using exec_type = Exec;
  using graph_type = Graph;
  static constexpr int num_units = Program::num_units;
  static constexpr int num_values = num_units - 1;
  template <int K>
  using lowered = type_at<K, typename Program::unit_types>;
  template <int K>
  using leaves = typename program_leaves<lowered<K>>::type;
  template <int K, int J>
  static constexpr bool reads = J < K&& reads_unit<J, leaves<K>>;
  template <int K>
  using place = place_of_value<K, lowered<K>>;
  template <int K>
  static consteval bool find_is_part() {
    if constexpr (K < 0) {
      return false;
    } else {
      return place<K>::unit != K;
    }
  }
  template <int K>
  static constexpr bool is_part = find_is_part<K>();
  template <class P, class Set>
  using traversal_recipe = typename rows_recipe<Exec, Graph, Mapping, P, Set, any_extents, Sums>::type;

  /// The leaves that unit K reads, or would if another did not stand for it.
  template <class Unit>
  struct named_leaves : program_leaves<Unit> {};
  template <int Unit, int Part, class Replaced>
  struct named_leaves<unit_part<Unit, Part, Replaced>> {
    using type = Replaced;
  };
  template <int K>
  using leaves_as_written = typename named_leaves<lowered<K>>::type;
  template <class Sequence>
  struct all_leaves;
  template <int... K>
  struct all_leaves<std::integer_sequence<int, K...>> {
    using type = filter_types<is_no_unit_value, unique_types<concat_types<leaves_as_written<K>...>>>;
  };
  /// The operands that a user binds.
  using operands = typename all_leaves<std::make_integer_sequence<int, num_units>>::type;
  using T = typename table_accumulator<typename operand_table<operands, Bindings>::type>::type;
  using arrays = std::array<unit_array<T>, static_cast<std::size_t>(num_values)>;

  /// Does unit K run? Its value is the output, or a later unit reads it (program/shared_units.hpp).
  template <int K>
  static consteval bool find_runs() {
    return []<int... Later>(std::integer_sequence<int, Later...>) {
      return !is_part<K> && (K == num_values || (reads<K + 1 + Later, K> || ...));
    }
    (std::make_integer_sequence<int, num_values - K>{});
  }
  template <int K>
  static constexpr bool runs = find_runs<K>();

  /// Whose vertices the rows of unit K are.
  template <int K>
  static consteval role find_rows() {
    using unit = lowered<K>;
    if constexpr (is_part<K>) {
      return find_rows<place<K>::unit>();
    } else if constexpr (reads_sources_as_rows<unit>) {
      return role::source;
    } else if constexpr (is_dense<unit>) {
      return rows_of_table<typename unit::product::row>();
    } else {
      return role::destination;
    }
  }
  template <class Row>
  static consteval role rows_of_table() {
    if constexpr (is_unit_value<Row>::value) {
      return find_rows<unit_number<typename Row::name>>();
    } else {
      return Row::role_of;
    }
  }
  template <int K>
  static constexpr role rows = find_rows<K>();
  /// Does a unit read at sources what was computed for destinations, or the other way round?
  template <int K, int J>
  static constexpr bool crosses = (contains_type<leaf<role::source, unit_value<J>>, leaves<K>> &&
                                   rows<J> == role::destination && !is_dense<lowered<K>>) ||
                                  (contains_type<leaf<role::destination, unit_value<J>>, leaves<K>> &&
                                   rows<J> == role::source && !is_dense<lowered<K>>);

  template <int K, int... J>
  static consteval bool crosses_at(std::integer_sequence<int, J...>) {
    return (crosses<K, J> || ...);
  }

  template <int K>
  struct unit;
  /// The kind of unit J's value, as later units read it.
  template <int J>
  static consteval operand_kind value_kind() {
    using recipe = typename unit<place<J>::unit>::recipe;
    if constexpr (recipe::num_parts > 1) {
      return recipe::part_kind;
    } else {
      return recipe::out_kind;
    }
  }
  template <int K, int J>
  static auto bind_value([[maybe_unused]] arrays const& values) {
    if constexpr (J < K && reads_unit<J, typename bound_leaves<lowered<K>>::type>) {
      constexpr operand_kind kind = value_kind<J>();
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
    auto const own = bindings_of<typename bound_leaves<lowered<K>>::type>(in);
    if constexpr (reads_sources_as_rows<lowered<K>>) {
      return join_bindings(bindings_as_rows(own), bind_values<K>(values));
    } else {
      return join_bindings(own, bind_values<K>(values));
    }
  }
  template <int K>
  struct unit {
    using bindings_type = decltype(bind_unit<K>(std::declval<Bindings const&>(), std::declval<arrays const&>()));
    using plan = unit_plan<unit_types, lowered<K>, rows<K>, bindings_type>;
    using recipe = typename plan::recipe;
    static constexpr operand_kind kind = recipe::out_kind;
  };
  using root = typename unit<num_values>::recipe;

  template <int K>
  static consteval bool walks_edges() {
    if constexpr (is_part<K>) {
      return false;
    } else {
      return !std::is_void_v<typename unit<K>::recipe::policy_type>;
    }
  }
  template <int K, int Later>
  static consteval bool is_read_in_messages() {
    if constexpr (walks_edges<Later>()) {
      return reads_unit<K, typename lowered<Later>::leaves>;
    } else {
      return false;
    }
  }
  /// Do messages read the value of unit K?
  template <int K>
  static constexpr bool is_read_along_edges = []<int... Later>(std::integer_sequence<int, Later...>) {
    return (is_read_in_messages<K, K + 1 + Later>() || ...);
  }
  (std::make_integer_sequence<int, num_values - K>{});

  /// The last unit that walks edges, whose schedule is the program's where one is asked for.
  static constexpr int last_traversal_number = [] {
    int last = 0;
    for_each_index_on_host<num_units>([&](auto k) {
      if constexpr (!is_part<decltype(k)::value>) {
        using recipe = typename unit<decltype(k)::value>::recipe;
        if (!std::is_void_v<typename recipe::policy_type>) last = decltype(k)::value;
      }
    });
    return last;
  }();
  using last_traversal = typename unit<last_traversal_number>::recipe;
  static constexpr bool crosses_any = []<int... K>(std::integer_sequence<int, K...>) {
    return (crosses_at<K>(std::make_integer_sequence<int, K>{}) || ...);
  }
  (std::make_integer_sequence<int, num_units>{});

  /// Is a gradient of Target that of one unit's operand, and not of one that another unit reads in its place?
  template <class Target>
  static consteval bool is_of_one_unit() {
    if constexpr (!is_leaf_of<Target, role::source, role::destination>) {
      return true;
    } else {
      constexpr role other_end = Target::role_of == role::source ? role::destination : role::source;
      using other = leaf<other_end, typename Target::name>;
      return []<int... K>(std::integer_sequence<int, K...>) {
        constexpr bool is_computed = ((runs<K> && contains_type<Target, leaves<K>>) || ...);
        constexpr bool stands_for_other = ((!runs<K> && contains_type<other, leaves_as_written<K>>) || ...);
        constexpr bool is_replaced = ((!runs<K> && contains_type<Target, leaves_as_written<K>>) || ...);
        return !stands_for_other && (is_computed || !is_replaced);
      }
      (std::make_integer_sequence<int, num_units>{});
    }
  }

  /// Is unit K needed for these gradients: does it read one of their operands, or the value of a unit that is?
  template <int K, class... Request>
  static consteval bool is_wanted() {
    if constexpr (is_part<K>) {
      return is_wanted<place<K>::unit, Request...>();
    } else if constexpr (!runs<K>) {
      return false;
    } else if constexpr ((targets_any<typename Request::target, leaves<K>> || ...)) {
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
      using own = std::conditional_t<reads_sources_as_rows<lowered<K>>,
                                     typename as_destination<typename R::target>::type, typename R::target>;
      return type_list<user_request<
          R, gradient_request<own, typename R::view_type, R::accumulates || is_left_later<K, R, Request...>()>>>{};
    } else {
      return type_list<>{};
    }
  }
  template <int K, int J, class... Request>
  static auto value_request() {
    if constexpr (reads<K, J>) {
      if constexpr (is_wanted<J, Request...>()) {
        constexpr operand_kind kind = value_kind<J>();
        return type_list<value_gradient<J, gradient_request<every_role<unit_value<J>>, operand_view<T, kind>,
                                                            is_value_left_later<K, J, Request...>()>>>{};
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

  /// Where the value of unit K lies in that of the unit that computes it.
  template <int K>
  static unit_array<T> part_of(arrays const& values) {
    unit_array<T> array = values[static_cast<std::size_t>(place<K>::unit)];
    array.data += place<K>::part * array.elements(value_kind<K>());
    return array;
  }

  /// Gradients that unit K is asked for, as `user_request` and `value_gradient`: those of the user's operands that it
  /// reads, and of values of earlier units that are needed. The unit that comes first, the last one, overwrites, and
  /// others add to what it left.
  template <int K, class... Request>
  using asked_of = concat_types<type_list<>, decltype(own_request<K, Request, Request...>())...,
                                decltype(value_requests<K, Request...>())>;
  template <class List>
  struct requests_in;
  template <class... Asked>
  struct requests_in<type_list<Asked...>> {
    using type = type_list<typename Asked::request...>;
  };
  template <int K, class... Request>
  using requests_of = typename requests_in<asked_of<K, Request...>>::type;
};

}  // namespace edgewise::inline v0::detail
