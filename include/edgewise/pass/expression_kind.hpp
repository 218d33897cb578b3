// The kind of an expression's value, from the kinds of its operands.
#pragma once

#include <edgewise/pass/environment.hpp>
#include <edgewise/program/bound_leaf.hpp>
#include <edgewise/register/cuda_geometry.hpp>

namespace edgewise::inline v0::detail {

/// The kind of an expression's value. Table: its bound leaves.
template <class E, class Table, class T>
consteval operand_kind kind_of_expression() {
  using geometry = cuda_geometry<4, 1, 4>;  // extents do not depend on which
  using env = environment<geometry, T, registers<geometry, T, 1, Table>, registers<geometry, T, 1, type_list<>>>;
  return kind_of_extent(
      std::remove_cvref_t<decltype(std::declval<E const&>().trace(std::declval<env const&>()).value)>::extent_of);
}

}  // namespace edgewise::inline v0::detail
