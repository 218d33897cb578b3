// Rewriting the messages and the epilogue of a program by a rule.
#pragma once

#include <edgewise/expression/rewrite.hpp>
#include <edgewise/program/edge_program.hpp>
#include <edgewise/program/lower.hpp>
#include <edgewise/program/stashing_program.hpp>

namespace edgewise::inline v0::detail {

template <class Rule, class... E>
constexpr auto rewrite_all(pack<E...> const& items) {
  return [&]<int... I>(std::integer_sequence<int, I...>) {
    return pack<rewritten<Rule, E>...>{{{rewrite<Rule>(get<I>(items))}...}};
  }
  (std::make_integer_sequence<int, sizeof...(E)>{});
}

/// A program with its messages along edges rewritten by Rule, and by OtherRule those along self edges and the epilogue.
template <class Rule, class OtherRule = Rule, class E, class... U, class... S>
constexpr auto rewrite_program(lowered_program<E, type_list<U...>, type_list<S...>> const& p) {
  return lowered_program<rewritten<OtherRule, E>, type_list<rewritten<Rule, U>...>,
                         type_list<rewritten<OtherRule, S>...>>{
      rewrite<OtherRule>(p.epilogue), rewrite_all<Rule>(p.aggregations), rewrite_all<OtherRule>(p.selves)};
}
template <class Rule, class OtherRule = Rule, class Aggregation>
constexpr auto rewrite_program(edge_program<Aggregation> const& p) {
  return make_edge_program(rewrite<Rule>(get<0>(p.aggregations)));
}
template <class Rule, class OtherRule = Rule, class Lowered, class... E>
constexpr auto rewrite_program(stashing_program<Lowered, type_list<E...>> const& p) {
  auto const around = rewrite_program<Rule, OtherRule>(static_cast<Lowered const&>(p));
  return stashing_program<std::remove_const_t<decltype(around)>, type_list<rewritten<Rule, E>...>>{around};
}

}  // namespace edgewise::inline v0::detail
