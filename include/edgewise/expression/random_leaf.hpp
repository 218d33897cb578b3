// Leaves that are not operands: the random numbers of a name, and the number of the edge or row that is evaluated.
#pragma once

#include <edgewise/core/random.hpp>
#include <edgewise/expression/leaf.hpp>

namespace edgewise::inline v0 {

/// Seed, step and stream of the random numbers bound to Name. Read like a parameter: once per row.
template <class Name>
struct random_leaf {
  static constexpr role role_of = role::parameter;
  using name = Name;
  using leaves = type_list<random_leaf>;
};

/// The id of the edge; on the self edge of row v, the number of edges plus v. Nothing is bound to it.
struct edge_number {
  static constexpr role role_of = role::edge;
  using name = edge_number;
  using leaves = type_list<edge_number>;
  static constexpr random_owner owner = random_owner::edge;
};
/// The destination's row: what an epilogue has in place of an edge.
struct row_number {
  static constexpr role role_of = role::destination;
  using name = row_number;
  using leaves = type_list<row_number>;
  static constexpr random_owner owner = random_owner::row;
};

namespace detail {

template <class Leaf>
inline constexpr bool is_random_leaf = false;
template <class Name>
inline constexpr bool is_random_leaf<random_leaf<Name>> = true;

template <class Leaf>
inline constexpr bool is_number_leaf = std::is_same_v<Leaf, edge_number> || std::is_same_v<Leaf, row_number>;

/// Is a bound leaf an operand, of which elements are read and gradients may be asked?
template <class Bound>
struct is_operand_bound
    : std::bool_constant<!is_random_leaf<typename Bound::leaf> && !is_number_leaf<typename Bound::leaf>> {};

}  // namespace detail
}  // namespace edgewise::inline v0
