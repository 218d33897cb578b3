// Roles of expressions by Seastar's rules: whose rows decide a value, and so how often it has to be evaluated.
#pragma once

#include <edgewise/expression/gather_node.hpp>

namespace edgewise::inline v0 {

namespace detail {

/// Expressions that say their own role: leaves, and nodes whose value depends on more than their leaves.
template <class E>
concept names_role = requires {
  E::role_of;
};

/// What an operation makes of two roles: parameters fit in with anything, an endpoint or a type with itself; all else
/// is decided by the edge.
constexpr role join_roles(role a, role b) {
  if (a == role::parameter) return b;
  if (b == role::parameter || a == b) return a;
  return role::edge;
}

template <class E>
consteval role find_role() {
  if constexpr (names_role<E>) {
    return E::role_of;
  } else {
    return []<class... A>(type_list<A...>) {
      role joined = role::parameter;
      ((joined = join_roles(joined, find_role<A>())), ...);
      return joined;
    }(concat_types<typename argument_list<E>::type, typename own_leaves<E>::type>{});
  }
}

/// Does a list of leaves hold one in a role?
template <role Role, class Leaves>
inline constexpr bool reads_role = false;
template <role Role, class... Leaf>
inline constexpr bool reads_role<Role, type_list<Leaf...>> = ((Leaf::role_of == Role) || ...);

}  // namespace detail

/// The role of an expression (Seastar, EuroSys 2021, section 5): parameter where it reads parameters and constants
/// alone, source or destination where it also reads that endpoint, relation where it reads the edge's type, edge for
/// everything else. A gather is the destination's.
template <class E>
inline constexpr role role_of_expression = detail::find_role<E>();

}  // namespace edgewise::inline v0
