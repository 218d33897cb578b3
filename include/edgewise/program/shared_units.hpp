// Units that compute the same of one table, read by both ends of edges: one of them does.
#pragma once

#include <type_traits>

#include <edgewise/expression/rewrite.hpp>
#include <edgewise/program/bindings.hpp>
#include <edgewise/program/units.hpp>

namespace edgewise::inline v0::detail {

/// A unit whose operands read as if its rows were destinations: equal of two units that differ in the end alone.
template <class Unit>
struct without_end {
  using type = Unit;
};
template <class Lowered>
struct without_end<source_program<Lowered>> {
  using type = Lowered;
};
template <class L>
struct as_destination {
  using type = L;
};
template <class Name>
struct as_destination<leaf<role::source, Name>> {
  using type = leaf<role::destination, Name>;
};
template <class Row, class W, int Block, class... Rows, class Library>
struct without_end<dense_program<dense_product<Row, W, Block, type_list<Rows...>>, Library>> {
  using type = dense_program<
      dense_product<typename as_destination<Row>::type, W, Block, type_list<typename as_destination<Rows>::type...>>,
      Library>;
};

/// Does an operand have one binding in both roles?
template <class L, class Set>
struct is_bound_to_both : std::true_type {};
template <class Name, class Set>
struct is_bound_to_both<leaf<role::source, Name>, Set>
    : std::bool_constant<binding_of<leaf<role::source, Name>, Set>::index ==
                         binding_of<leaf<role::destination, Name>, Set>::index> {};
template <int Unit, class Set>
struct is_bound_to_both<leaf<role::source, unit_value<Unit>>, Set> : std::true_type {};
template <class Leaves, class Set>
inline constexpr bool all_bound_to_both = false;
template <class... Leaf, class Set>
inline constexpr bool all_bound_to_both<type_list<Leaf...>, Set> = (is_bound_to_both<Leaf, Set>::value && ...);

/// Does an expression hold numbers of its own, a constant or an operation's?
template <class E>
struct holds_numbers : std::bool_constant<is_any_constant<E> || !std::is_empty_v<typename numbers_of<E>::type>> {};
template <class Unit>
inline constexpr bool has_numbers = true;
template <class E>
inline constexpr bool has_numbers<lowered_program<E, type_list<>, type_list<>>> = any_node<holds_numbers, E>::value;
template <class Lowered>
inline constexpr bool has_numbers<source_program<Lowered>> = has_numbers<Lowered>;

template <class Unit>
inline constexpr bool is_dense = false;
template <class Product, class Library>
inline constexpr bool is_dense<dense_program<Product, Library>> = true;

/// Does unit B of a program compute what A does? Set: the bindings of the program.
template <class A, class B, class Set>
consteval bool compute_the_same() {
  if constexpr (!std::is_same_v<typename without_end<A>::type, typename without_end<B>::type>) {
    return false;
  } else if constexpr (std::is_same_v<A, B>) {
    return is_dense<A> || !has_numbers<A>;  // else each has its own
  } else if constexpr (is_dense<A> || !has_numbers<A>) {
    return all_bound_to_both<typename bound_leaves<A>::type, Set> &&
           all_bound_to_both<typename bound_leaves<B>::type, Set>;
  } else {
    return false;
  }
}

/// Reads what unit From computes of unit To.
template <int From, int To>
struct read_other_unit {
  static constexpr bool renames_leaves = true;
  template <class E>
  static constexpr bool takes = is_leaf_of<E, role::source, role::destination>;
  template <role R, class Name>
  static constexpr auto apply(leaf<R, Name> const& e) {
    if constexpr (std::is_same_v<Name, unit_value<From>>) {
      return leaf<R, unit_value<To>>{};
    } else {
      return e;
    }
  }
};
template <class Rule, class Unit>
constexpr auto rewrite_unit(Unit const& unit) {
  return rewrite_program<Rule>(unit);
}
template <class Rule, class Lowered>
constexpr auto rewrite_unit(source_program<Lowered> const& unit) {
  return make_source_program(rewrite_program<Rule>(static_cast<Lowered const&>(unit)));
}
template <class Rule, class Row, class W, int Block, class... Rows, class Library>
constexpr auto rewrite_unit(dense_program<dense_product<Row, W, Block, type_list<Rows...>>, Library> const& unit) {
  return dense_program<dense_product<rewritten<Rule, Row>, W, Block, type_list<rewritten<Rule, Rows>...>>, Library>{
      unit.library};
}
template <class Rule, int Unit, int Part, class Replaced>
constexpr auto rewrite_unit(unit_part<Unit, Part, Replaced> const& unit) {
  return unit;
}
template <class Rule, class... Unit>
constexpr auto rewrite_units(unit_program<Unit...> const& program) {
  return [&]<int... K>(std::integer_sequence<int, K...>) {
    auto const make = []<class... U>(U const&... unit) { return unit_program<U...>{make_pack(unit...)}; };
    return make(rewrite_unit<Rule>(get<K>(program.units))...);
  }
  (std::make_integer_sequence<int, sizeof...(Unit)>{});
}

/// The first unit before K that computes what unit K does; -1 where there is none.
template <int K, class Set, class... Unit>
consteval int find_same(type_list<Unit...>) {
  using here = type_at<K, type_list<Unit...>>;
  int found = -1;
  int number = 0;
  ((found = found < 0 && number < K && compute_the_same<Unit, here, Set>() ? number : found, ++number), ...);
  return found;
}

/// A program of several units where later ones read, of two that compute the same, the first; nobody reads the second.
template <int K, class Set, class... Unit>
constexpr auto share_units(unit_program<Unit...> const& program) {
  if constexpr (K + 1 >= sizeof...(Unit)) {  // the last one's value is the output
    return program;
  } else {
    constexpr int same = find_same<K, Set>(type_list<Unit...>{});
    if constexpr (same >= 0) {
      return share_units<K + 1, Set>(rewrite_units<read_other_unit<K, same>>(program));
    } else {
      return share_units<K + 1, Set>(program);
    }
  }
}

}  // namespace edgewise::inline v0::detail
