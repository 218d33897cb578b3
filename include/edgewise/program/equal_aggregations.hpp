// Equal gathers of a program become one aggregation: folded once, its value read wherever the gather was written.
#pragma once

#include <edgewise/expression/rewrite.hpp>
#include <edgewise/program/aggregation.hpp>
#include <edgewise/program/place.hpp>

namespace edgewise::inline v0::detail {

/// Does the type of an aggregation say all about it?
template <class Aggregation>
struct is_known_aggregation : is_known_by_type<Aggregation> {};
template <>
struct is_known_aggregation<no_self> : std::true_type {};
template <class Aggregation, class Self>
struct is_known_aggregation<aggregation_with_self<Aggregation, Self>>
    : std::bool_constant<is_known_aggregation<Aggregation>::value && is_known_aggregation<Self>::value> {};

/// Is the aggregation at I, of Aggregations, the first of its type, or not known by its type? Equal gathers are one.
template <int I, class... U>
consteval int first_equal(type_list<U...>) {
  constexpr int count = sizeof...(U);
  bool const known[count] = {is_known_aggregation<U>::value...};
  int const first[count] = {index_of_type<U, type_list<U...>>...};
  return known[I] ? first[I] : I;
}
/// How many aggregations before I are kept: the new number of aggregation I where it is kept itself.
template <class Aggregations, int I>
consteval int number_of_aggregation() {
  constexpr int first = first_equal<I>(Aggregations{});
  return []<int... J>(std::integer_sequence<int, J...>) {
    return (0 + ... + (first_equal<J>(Aggregations{}) == J ? 1 : 0));
  }
  (std::make_integer_sequence<int, first>{});
}

/// The epilogue with values of equal gathers named alike.
template <class Aggregations>
struct renumber_rule {
  static constexpr bool renames_leaves = true;
  template <class E>
  static constexpr bool takes = is_aggregation_value_leaf<E>::value;

  template <int I>
  static constexpr auto apply(leaf<role::destination, aggregation_value<I>> const&) {
    return leaf<role::destination, aggregation_value<number_of_aggregation<Aggregations, I>()>>{};
  }
};
template <class Aggregations, class E>
constexpr auto renumber(E const& e) {
  return rewrite<renumber_rule<Aggregations>>(e);
}

/// The aggregations of a pack from I on that are kept.
template <int I, class... U>
constexpr auto keep_aggregations(pack<U...> const& aggregations) {
  if constexpr (I == sizeof...(U)) {
    return pack<>{};
  } else if constexpr (first_equal<I>(type_list<U...>{}) == I) {
    using aggregation = std::remove_cvref_t<decltype(get<I>(aggregations))>;
    return join_packs(pack<aggregation>{{{get<I>(aggregations)}}}, keep_aggregations<I + 1>(aggregations));
  } else {
    return keep_aggregations<I + 1>(aggregations);
  }
}
template <class... U>
type_list<U...> types_of(pack<U...> const&);

}  // namespace edgewise::inline v0::detail
