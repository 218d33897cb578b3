// Equal gathers of a program become one unit: folded once, its value read wherever the gather was written.
#pragma once

#include <edgewise/expression/rewrite.hpp>
#include <edgewise/program/place.hpp>
#include <edgewise/program/unit.hpp>

namespace edgewise::detail {

/// Does the type of a unit say all about it?
template <class Unit>
struct is_known_unit : is_known_by_type<Unit> {};
template <>
struct is_known_unit<no_self> : std::true_type {};
template <class Unit, class Self>
struct is_known_unit<unit_with_self<Unit, Self>>
    : std::bool_constant<is_known_unit<Unit>::value && is_known_unit<Self>::value> {};

/// Is the unit at I, of Units, the first of its type, or not known by its type? Equal gathers are one.
template <int I, class... U>
consteval int first_equal(type_list<U...>) {
  constexpr int count = sizeof...(U);
  bool const known[count] = {is_known_unit<U>::value...};
  int const first[count] = {index_of_type<U, type_list<U...>>...};
  return known[I] ? first[I] : I;
}
/// How many units before I are kept: the new number of unit I where it is kept itself.
template <class Units, int I>
consteval int number_of_unit() {
  constexpr int first = first_equal<I>(Units{});
  return []<int... J>(std::integer_sequence<int, J...>) { return (0 + ... + (first_equal<J>(Units{}) == J ? 1 : 0)); }
  (std::make_integer_sequence<int, first>{});
}

/// The epilogue with values of equal gathers named alike.
template <class Units>
struct renumber_rule {
  static constexpr bool renames_leaves = true;
  template <class E>
  static constexpr bool takes = is_unit_value_leaf<E>::value;

  template <int I>
  static constexpr auto apply(leaf<role::destination, unit_value<I>> const&) {
    return leaf<role::destination, unit_value<number_of_unit<Units, I>()>>{};
  }
};
template <class Units, class E>
constexpr auto renumber(E const& e) {
  return rewrite<renumber_rule<Units>>(e);
}

/// The units of a pack from I on that are kept.
template <int I, class... U>
constexpr auto keep_units(pack<U...> const& units) {
  if constexpr (I == sizeof...(U)) {
    return pack<>{};
  } else if constexpr (first_equal<I>(type_list<U...>{}) == I) {
    using unit = std::remove_cvref_t<decltype(get<I>(units))>;
    return join_packs(pack<unit>{{{get<I>(units)}}}, keep_units<I + 1>(units));
  } else {
    return keep_units<I + 1>(units);
  }
}
template <class... U>
type_list<U...> types_of(pack<U...> const&);

}  // namespace edgewise::detail
