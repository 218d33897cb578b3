// Masks of values that are the same for every head: they draw the same numbers for every head, too.
#pragma once

#include <edgewise/program/bindings.hpp>
#include <edgewise/program/parts.hpp>

namespace edgewise::inline v0::detail {

/// Does a value differ from head to head, given the views bound in Set? Aggregations: those that `aggregation_value`
/// leaves speak of.
template <class E, class Aggregations, class Set>
struct differs_by_head;
template <class List, class Aggregations, class Set>
struct any_differs_by_head;
template <class... E, class Aggregations, class Set>
struct any_differs_by_head<type_list<E...>, Aggregations, Set>
    : std::bool_constant<(differs_by_head<E, Aggregations, Set>::value || ...)> {};

template <class E, class Aggregations, class Set>
struct differs_by_head : std::conditional_t<sums_over<E>.heads, std::false_type,
                                            any_differs_by_head<typename argument_list<E>::type, Aggregations, Set>> {};
template <role Role, class Name, class Aggregations, class Set>
struct differs_by_head<leaf<Role, Name>, Aggregations, Set> {
  static constexpr operand_kind kind = view_bound_to<leaf<Role, Name>, Set>::kind;
  static constexpr bool value = kind == operand_kind::wide || kind == operand_kind::per_head;
};
template <int I, class Aggregations, class Set>
struct differs_by_head<leaf<role::destination, aggregation_value<I>>, Aggregations, Set>
    : differs_by_head<type_at<I, Aggregations>, Aggregations, Set> {};

/// The shape of a mask once bindings are known.
template <class Shape, class Aggregations, class Set>
struct bound_mask_shape
    : std::conditional<differs_by_head<Shape, Aggregations, Set>::value, Shape, alike_for_heads<Shape>> {};
template <class Shape, class Aggregations, class Set>
struct bound_mask_shape<alike_for_heads<Shape>, Aggregations, Set> : type_tag<alike_for_heads<Shape>> {};

template <class Leaf>
struct is_random : std::bool_constant<is_random_leaf<Leaf>> {};
/// Are there masks in a program?
template <class Program>
inline constexpr bool draws_masks =
    filter_types<is_random, concat_types<typename Program::leaves, typename Program::self_leaves,
                                         typename Program::epilogue_type::leaves>>::size > 0;

}  // namespace edgewise::inline v0::detail
