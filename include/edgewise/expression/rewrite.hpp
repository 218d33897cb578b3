// Rewriting: an expression, aggregation or message rebuilt by a rule.
#pragma once

#include <type_traits>
#include <utility>

#include <edgewise/expression/node_concept.hpp>

namespace edgewise::inline v0::detail {

template <class Rule, class E>
constexpr auto rewrite(E const& e);
template <class Rule, class E>
using rewritten = std::remove_cvref_t<decltype(rewrite<Rule>(std::declval<E const&>()))>;

template <class Rule>
concept renames_leaves = requires {
  requires Rule::renames_leaves;
};

template <class E, class Rule, class... A>
concept takes_renamed = requires(E const& e, A const&... a) {
  e.template with_renamed<Rule>(a...);
};
template <class Rule, class E, class... A>
constexpr auto rebuild(E const& e, A const&... args) {
  if constexpr (renames_leaves<Rule> && takes_renamed<E, Rule, A...>) {
    return e.template with_renamed<Rule>(args...);
  } else {
    return e.with_arguments(args...);
  }
}
/// Rebuilds an expression or aggregation around its rewritten arguments; leaves and constants stay.
template <class Rule, class E>
constexpr auto rewrite_arguments(E const& e) {
  if constexpr (is_node<E>) {
    return [&]<int... I>(std::integer_sequence<int, I...>) {
      return rebuild<Rule>(e, rewrite<Rule>(e.template argument<I>())...);
    }
    (std::make_integer_sequence<int, argument_list<E>::type::size>{});
  } else {
    return e;
  }
}

/// An expression or aggregation under a rule. `Rule::template takes<E>` says where the rule itself decides, by
/// `Rule::template apply(e)`, which may call `rewrite_arguments`; elsewhere the arguments are rewritten. A rule that
/// puts other leaves in the place of leaves says `static constexpr bool renames_leaves = true`.
template <class Rule, class E>
constexpr auto rewrite(E const& e) {
  if constexpr (Rule::template takes<E>) {
    return Rule::apply(e);
  } else {
    return rewrite_arguments<Rule>(e);
  }
}

/// Changes nothing.
struct leave_as_is {
  template <class E>
  static constexpr bool takes = false;
};

}  // namespace edgewise::inline v0::detail
