// What the backward pass reads instead of recomputing it: values of expressions, one per edge, kept by the forward
// pass.
#pragma once

#include <edgewise/expression/named.hpp>
#include <edgewise/expression/roles.hpp>
#include <edgewise/program/parts.hpp>
#include <edgewise/program/rewrite_program.hpp>
#include <edgewise/program/stashing_program.hpp>

namespace edgewise::inline v0 {

struct automatic;

/// The default: every value of an edge is computed again in the backward pass, and nothing that grows with the edges is
/// kept (Zhang et al., MLSys 2022, section 6).
struct recompute {};

/// Keeps the values of the expressions that `named<Name>` marks, one row per edge each, in the saved state; the
/// backward pass reads them. `stash<automatic>` keeps those whose recomputation costs more than a constant for each
/// element that would be stored, the criterion of MLSys 2022, section 6: sums over channels, whose cost grows with the
/// channels.
template <class... Name>
struct stash {};

namespace detail {

template <class Policy>
inline constexpr bool is_keeping_policy = false;
template <>
inline constexpr bool is_keeping_policy<recompute> = true;
template <class... Name>
inline constexpr bool is_keeping_policy<stash<Name...>> = true;

/// Dissolves names.
struct without_names {
  template <class E>
  static constexpr bool takes = is_named<E>;
  template <class Name, class A>
  static constexpr auto apply(node<operation::named<Name>, A> const& e) {
    return rewrite<without_names>(get<0>(e.args));
  }
};

/// The expression that Name marks somewhere below E, or void.
template <class Name, class E>
struct find_named;
template <class Name, class Parts>
struct find_named_among;
template <class Name>
struct find_named_among<Name, type_list<>> {
  using type = void;
};
template <class Name, class E, class... Rest>
struct find_named_among<Name, type_list<E, Rest...>> {
  using here = typename find_named<Name, E>::type;
  using type = typename std::conditional_t<std::is_void_v<here>, find_named_among<Name, type_list<Rest...>>,
                                           type_tag<here>>::type;
};
template <class Name, class E>
struct find_named : find_named_among<Name, typename parts<E>::types> {};
template <class Name, class A>
struct find_named<Name, node<operation::named<Name>, A>> : type_tag<rewritten<without_names, A>> {};

template <class E>
inline constexpr bool is_stashable = is_node<E>&& own_leaves<E>::type::size == 0 && is_known_by_type<E>::value;

/// The expression that `stash` keeps under Name. Aggregations: those of the program, with names.
template <class Name, class Aggregations>
struct require_stashable {
  using type = typename find_named_among<Name, Aggregations>::type;
  static_assert(
      !std::is_void_v<type>,
      "stash: no part of a message has this name; mark it with named<name>(x), below a softmax its score, since "
      "weights are not known until a row ends (program/stash.hpp)");
  static_assert(
      std::is_void_v<type> || is_stashable<type>,
      "stash: only results of operations and sums over channels can be kept; an operand is in memory, and a mask is "
      "drawn again (program/stash.hpp)");
  static constexpr role decided_by = [] {
    if constexpr (std::is_void_v<type>) {
      return role::edge;
    } else {
      return role_of_expression<type>;
    }
  }();
  static_assert(
      decided_by == role::edge,
      "stash: this expression is decided by one endpoint or by parameters alone, so that each row computes it "
      "once; name what an edge computes (program/stash.hpp)");
};

/// Sums over channels that edges decide, the outermost ones.
template <class E>
struct costly_parts;
template <class List>
struct costly_parts_of;
template <class... E>
struct costly_parts_of<type_list<E...>> {
  using type = concat_types<type_list<>, typename costly_parts<E>::type...>;
};
template <class E>
struct costly_parts : costly_parts_of<typename parts<E>::types> {};
template <class E>
requires is_channel_sum<E>::value struct costly_parts<E> {
  using type = std::conditional_t<role_of_expression<E> == role::edge && is_stashable<E>, type_list<E>, type_list<>>;
};

/// The expressions that a policy keeps. Named: the aggregations with names; Plain: without.
template <class Policy, class Named, class Plain>
struct choose_stashed;
template <class Named, class Plain>
struct choose_stashed<recompute, Named, Plain> {
  using type = type_list<>;
};
template <class... Name, class Named, class Plain>
struct choose_stashed<stash<Name...>, Named, Plain> {
  using type = unique_types<type_list<typename require_stashable<Name, Named>::type...>>;
};
template <class Named, class Plain>
struct choose_stashed<stash<automatic>, Named, Plain> {
  using type = unique_types<typename costly_parts_of<Plain>::type>;
};

/// The lowered program without names, and with what Policy keeps.
template <class Policy, class E, class U, class S>
constexpr auto apply_policy(lowered_program<E, U, S> const& named) {
  using lowered = lowered_program<E, U, S>;
  auto const plain = rewrite_program<without_names>(named);
  using program = std::remove_const_t<decltype(plain)>;
  using stashed =
      typename choose_stashed<Policy, typename lowered::aggregation_types, typename program::aggregation_types>::type;
  if constexpr (stashed::size == 0) {
    return plain;
  } else {
    return stashing_program<program, stashed>{plain};
  }
}

template <class Policy, class Aggregation>
constexpr auto apply_policy(edge_program<Aggregation> const& program) {
  static_assert(std::is_same_v<Policy, recompute>,
                "stash: a program of edges keeps nothing, its output is what edges compute (program/stash.hpp)");
  return program;
}

/// Puts a `stashed_node` for every expression of Stashed.
template <class Stashed>
struct read_stashed {
  template <class E>
  static constexpr bool takes = contains_type<E, Stashed>;
  template <class E>
  static constexpr auto apply(E const& e) {
    auto const around = rewrite_arguments<read_stashed>(e);
    return stashed_node<E, std::remove_const_t<decltype(around)>>{around};
  }
};

/// The program as its backward traversals see it: what was kept is read. Self edges keep nothing.
template <class Program>
constexpr auto backward_program(Program const& program) {
  using stashed = typename stashed_of<Program>::type;
  if constexpr (stashed::size == 0) {
    return program;
  } else {
    return rewrite_program<read_stashed<stashed>, leave_as_is>(static_cast<typename Program::lowered const&>(program));
  }
}
template <class Program>
using backward_program_of = std::remove_cvref_t<decltype(backward_program(std::declval<Program const&>()))>;

}  // namespace detail
}  // namespace edgewise::inline v0
