// Units that sum over the channels of one table: they are one unit of several values.
#pragma once

#include <type_traits>
#include <utility>

#include <edgewise/expression/concat.hpp>
#include <edgewise/program/shared_units.hpp>
#include <edgewise/program/units.hpp>

namespace edgewise::inline v0::detail {

/// The program of vertices that a unit is.
template <class Unit>
struct value_program;
template <class E>
struct value_program<lowered_program<E, type_list<>, type_list<>>> {
  using lowered = lowered_program<E, type_list<>, type_list<>>;
};
template <class Lowered>
struct value_program<source_program<Lowered>> : value_program<Lowered> {};

/// Are all values of a program of vertices sums over channels, which have one shape?
template <class E>
inline constexpr bool sums_channels_alone = is_channel_sum<E>::value;
template <class... A>
inline constexpr bool sums_channels_alone<node<operation::concat, A...>> = (is_channel_sum<A>::value && ...);
template <class L>
struct is_row_leaf : std::bool_constant<L::role_of == role::source || L::role_of == role::destination> {};

/// Are all parameters of a list bound with one kind? Then sums of them and one row have one shape.
template <class Set, class Leaves>
struct parameters_of_one_kind;
template <class Set, class... Leaf>
struct parameters_of_one_kind<Set, type_list<Leaf...>> {
  static consteval bool test() {
    bool known = false;
    bool equal = true;
    operand_kind kind{};
    auto const take = [&]<class L>(type_tag<L>) {
      if constexpr (L::role_of == role::parameter) {
        constexpr operand_kind here = view_bound_to<L, Set>::kind;
        equal = equal && (!known || here == kind);
        kind = here;
        known = true;
      }
    };
    (take(type_tag<Leaf>{}), ...);
    return equal;
  }
};

/// May units A and B be one, whose value is both side by side: sums over the channels of the same rows?
template <class A, class B, class Set>
consteval bool may_join() {
  if constexpr (has_numbers<A> || has_numbers<B>) {
    return false;
  } else {
    using a = typename value_program<A>::lowered::epilogue_type;
    using b = typename value_program<B>::lowered::epilogue_type;
    constexpr bool read_the_same =
        std::is_same_v<filter_types<is_row_leaf, typename a::leaves>, filter_types<is_row_leaf, typename b::leaves>>;
    if constexpr (!read_the_same || !sums_channels_alone<a> || !is_channel_sum<b>::value) {
      return false;
    } else if constexpr (!parameters_of_one_kind<Set, concat_types<typename a::leaves, typename b::leaves>>::test()) {
      return false;
    } else {
      constexpr bool is_one_end = std::is_same_v<A, typename value_program<A>::lowered> ==
                                  std::is_same_v<B, typename value_program<B>::lowered>;
      return is_one_end || (all_bound_to_both<typename program_leaves<A>::type, Set> &&
                            all_bound_to_both<typename program_leaves<B>::type, Set>);
    }
  }
}
template <class A, class B>
constexpr auto join_values(A const& a, B const& b) {
  return edgewise::concat(a, b);
}
template <class... A, class B>
constexpr auto join_values(node<operation::concat, A...> const& a, B const& b) {
  return [&]<int... I>(std::integer_sequence<int, I...>) { return edgewise::concat(get<I>(a.args)..., b); }
  (std::make_integer_sequence<int, sizeof...(A)>{});
}
template <class E>
constexpr auto make_value_program(E const& e) {
  return lowered_program<E, type_list<>, type_list<>>{e, {}, {}};
}
template <class A, class Unit>
constexpr auto join_units(A const& a, Unit const& unit) {
  return make_value_program(join_values(a.epilogue, unit.epilogue));
}
template <class Lowered, class Unit>
constexpr auto join_units(source_program<Lowered> const& a, Unit const& unit) {
  return make_source_program(join_units(static_cast<Lowered const&>(a), unit));
}

/// Units with the first that unit K may join with K in it, and in the place of K a part of that.
template <int K, int To, class... Unit>
constexpr auto with_joined(unit_program<Unit...> const& program) {
  auto const replaced = [&]<int I>(index_constant<I>) {
    if constexpr (I == To) {
      return join_units(get<To>(program.units), get<K>(program.units));
    } else if constexpr (I == K) {
      constexpr int part =
          output_parts<typename std::remove_cvref_t<decltype(get<To>(program.units))>::epilogue_type>::types::size;
      using replaced_unit = std::remove_cvref_t<decltype(get<K>(program.units))>;
      return unit_part<To, part, typename program_leaves<replaced_unit>::type>{};
    } else {
      return get<I>(program.units);
    }
  };
  return [&]<int... I>(std::integer_sequence<int, I...>) {
    auto const make = []<class... U>(U const&... unit) { return unit_program<U...>{make_pack(unit...)}; };
    return make(replaced(index_constant<I>{})...);
  }
  (std::make_integer_sequence<int, sizeof...(Unit)>{});
}
/// Does a unit read the value of unit K?
template <int K, class... Unit>
inline constexpr bool is_value_read = (reads_unit<K, typename program_leaves<Unit>::type> || ...);
/// The first unit that unit K may join; -1 where there is none. Values that nobody reads any more stay apart.
template <int K, class Set, class... Unit>
consteval int find_to_join(type_list<Unit...>) {
  if constexpr (!is_value_read<K, Unit...>) {
    return -1;
  } else {
    using here = type_at<K, type_list<Unit...>>;
    return []<int... J>(std::integer_sequence<int, J...>) {
      int found = -1;
      ((found = found < 0 && is_value_read<J, Unit...> && may_join<type_at<J, type_list<Unit...>>, here, Set>()
                    ? J
                    : found),
       ...);
      return found;
    }
    (std::make_integer_sequence<int, K>{});
  }
}
template <int K, class Set, class... Unit>
constexpr auto join_sums(unit_program<Unit...> const& program) {
  if constexpr (K + 1 >= sizeof...(Unit)) {
    return program;
  } else {
    constexpr int to = find_to_join<K, Set>(type_list<Unit...>{});
    if constexpr (to >= 0) {
      return join_sums<K + 1, Set>(with_joined<K, to>(program));
    } else {
      return join_sums<K + 1, Set>(program);
    }
  }
}

}  // namespace edgewise::inline v0::detail
