// Components of small vectors as leaves: what `sum_over` makes of an operand.
#pragma once

#include <edgewise/expression/leaf.hpp>

namespace edgewise::inline v0 {

/// The name of component Index of the operand Name, a vector of Length components; of an operand that has no such axis
/// the operand itself (expression/sum_over.hpp).
template <class Name, int Index, int Length>
struct component {};

namespace detail {

template <class Leaf>
struct whole_leaf_impl {
  using type = Leaf;
};
template <role Role, class Name, int Index, int Length>
struct whole_leaf_impl<leaf<Role, component<Name, Index, Length>>> {
  using type = leaf<Role, Name>;
};
/// The leaf that users name: for a component that of its vector.
template <class Leaf>
using whole_leaf = typename whole_leaf_impl<Leaf>::type;

template <class Leaf>
inline constexpr bool is_component = !std::is_same_v<Leaf, whole_leaf<Leaf>>;

/// Where a leaf's numbers lie among those of its operand's row: every `element_stride`-th, from `first_element` on.
template <class Leaf>
inline constexpr int element_stride = 1;
template <role Role, class Name, int Index, int Length>
inline constexpr int element_stride<leaf<Role, component<Name, Index, Length>>> = Length;
template <class Leaf>
inline constexpr int first_element = 0;
template <role Role, class Name, int Index, int Length>
inline constexpr int first_element<leaf<Role, component<Name, Index, Length>>> = Index;

/// The first of a leaf's numbers in its operand's array.
template <class Leaf, class T>
T* component_address(T* data) {
  if constexpr (first_element<Leaf> == 0) {
    return data;
  } else {
    return data == nullptr ? data : data + first_element<Leaf>;
  }
}

}  // namespace detail
}  // namespace edgewise::inline v0
