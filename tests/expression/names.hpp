// Operands of the message tests: names and short spellings of their bound leaves.
#pragma once

#include <edgewise/core/operand.hpp>
#include <edgewise/program/bound_leaf.hpp>

namespace edgewise::testing {

struct h;  // features
struct k;  // features of another endpoint
struct w;  // weights
struct s;  // scalars

template <role Role, class Name>
using wide_operand = edgewise::detail::bound_leaf<leaf<Role, Name>, operand_kind::wide, double>;
template <role Role, class Name>
using per_head_operand = edgewise::detail::bound_leaf<leaf<Role, Name>, operand_kind::per_head, double>;
template <role Role, class Name>
using per_row_operand = edgewise::detail::bound_leaf<leaf<Role, Name>, operand_kind::per_row, double>;

}  // namespace edgewise::testing
