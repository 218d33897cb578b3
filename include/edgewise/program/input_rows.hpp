// Operands as products along edges read them, element by element, and matrices row by row.
#pragma once

#include <type_traits>

#include <edgewise/expression/component.hpp>

namespace edgewise::inline v0::detail {

/// The operand Name where products along edges read it, element by element.
template <class Name>
struct input_row {};
/// Row Row of the matrix W.
template <class W, int Row>
struct matrix_row {};

/// The leaf that a user binds, of one that a product along edges reads.
template <class Leaf>
struct leaf_of_user {
  using type = Leaf;
};
template <role Role, class Name, int Index, int Length>
struct leaf_of_user<leaf<Role, component<input_row<Name>, Index, Length>>> {
  using type = leaf<Role, Name>;
};
template <role Role, class Name>
struct leaf_of_user<leaf<Role, input_row<Name>>> {
  using type = leaf<Role, Name>;
};
template <class W, int Row>
struct leaf_of_user<leaf<role::parameter, matrix_row<W, Row>>> {
  using type = leaf<role::matrix, W>;
};
template <class Leaf>
inline constexpr bool is_read_by_product = !std::is_same_v<Leaf, typename leaf_of_user<Leaf>::type>;

}  // namespace edgewise::inline v0::detail
