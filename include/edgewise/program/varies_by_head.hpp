// Does an expression have a value for each head?
#pragma once

#include <type_traits>

#include <edgewise/expression/head_sum.hpp>
#include <edgewise/program/bound_leaf.hpp>
#include <edgewise/program/needs.hpp>

namespace edgewise::inline v0::detail {

/// Does a value differ from head to head, given the leaves bound in Table?
template <class E, class Table>
struct varies_by_head {
  static constexpr bool value = !sums_over<E>.heads && []<class... A>(type_list<A...>) {
    return (varies_by_head<A, Table>::value || ...);
  }(typename argument_list<E>::type{});
};
template <role Role, class Name, class Table>
struct varies_by_head<leaf<Role, Name>, Table> {
  static constexpr operand_kind kind = bound_for<leaf<Role, Name>, Table>::kind;
  static constexpr bool value = kind == operand_kind::wide || kind == operand_kind::per_head;
};

}  // namespace edgewise::inline v0::detail
