// Leaves bound to operands: the types that decide what is loaded, how wide, and with which stride.
#pragma once

#include <cstdint>

#include <edgewise/core/operand.hpp>
#include <edgewise/core/scalar.hpp>
#include <edgewise/core/type_list.hpp>
#include <edgewise/expression/leaf.hpp>
#include <edgewise/expression/random_leaf.hpp>
#include <edgewise/register/row_address.hpp>

namespace edgewise::inline v0::detail {

/// Leaf bound to an operand of kind Kind stored as T.
template <class Leaf, operand_kind Kind, class T>
struct bound_leaf {
  using leaf = Leaf;
  using storage = T;
  static constexpr operand_kind kind = Kind;
};

/// The run-time half of a bound leaf.
template <class Bound>
struct operand_pointer {
  using bound = Bound;
  typename Bound::storage* data = nullptr;
  std::int32_t row_bytes = 0;  ///< distance of rows; 32 bits, so that an address is one multiply-add

  template <class Row>
  EDGEWISE_HD typename Bound::storage* row(Row index, int element = 0) const {
    return at(element, static_cast<std::int64_t>(index) * row_bytes);
  }
  /// `row` for rows of few numbers, and for one edge at a time (`detail::find_row`); loads of the channels of several
  /// edges have few addresses, and are better left to the compiler (docs/tuning.md, R45).
  template <class Row>
  EDGEWISE_HD typename Bound::storage* short_row(Row index, int element = 0) const {
    return detail::find_row(data + element, index, row_bytes);
  }

private:
  EDGEWISE_HD typename Bound::storage* at(int element, std::int64_t offset) const {
    using byte = std::conditional_t<std::is_const_v<typename Bound::storage>, char const, char>;
    return reinterpret_cast<typename Bound::storage*>(reinterpret_cast<byte*>(data + element) + offset);
  }
};

EDGEWISE_HD constexpr extent extent_of_kind(operand_kind kind) {
  return kind == operand_kind::wide || kind == operand_kind::per_channel
             ? extent::wide
             : (kind == operand_kind::per_head ? extent::narrow : extent::uniform);
}
template <class Bound>
struct is_wide_bound : std::bool_constant<extent_of_kind(Bound::kind) == extent::wide> {};

EDGEWISE_HD constexpr operand_kind kind_of_extent(extent e) {
  return e == extent::wide ? operand_kind::wide : (rank(e) == 1 ? operand_kind::per_head : operand_kind::per_row);
}

template <class Leaf, class Table>
struct bound_for_impl;
template <class Leaf, class Bound, class... Rest>
struct bound_for_impl<Leaf, type_list<Bound, Rest...>>
    : std::conditional_t<std::is_same_v<Leaf, typename Bound::leaf>, type_tag<Bound>,
                         bound_for_impl<Leaf, type_list<Rest...>>> {};
template <class Leaf>
struct bound_for_impl<Leaf, type_list<>> {
  using type = void;
};

/// The entry of Table for Leaf, or void.
template <class Leaf, class Table>
using bound_for = typename bound_for_impl<Leaf, Table>::type;

template <role Role>
struct has_role {
  template <class Bound>
  struct test : std::bool_constant<Bound::leaf::role_of == Role> {};
};

/// The entries of Table in a role.
template <role Role, class Table>
using bound_in_role = filter_types<has_role<Role>::template test, Table>;

template <class Leaves>
struct bound_among {
  template <class Bound>
  struct test : std::bool_constant<contains_type<typename Bound::leaf, Leaves>> {};
};

/// The entries of Table whose leaves are among Leaves.
template <class Leaves, class Table>
using bound_subset = filter_types<bound_among<Leaves>::template test, Table>;

template <class Leaves>
struct bound_outside {
  template <class Bound>
  struct test : std::bool_constant<!contains_type<typename Bound::leaf, Leaves>> {};
};

/// The entries of Table whose leaves are not among Leaves.
template <class Leaves, class Table>
using bound_without = filter_types<bound_outside<Leaves>::template test, Table>;

template <class Table>
struct leaves_of_table;
template <class... Bound>
struct leaves_of_table<type_list<Bound...>> {
  using type = type_list<typename Bound::leaf...>;
};

/// The operand pointers of a table, found by leaf.
template <class Table>
struct operand_pointers;
template <class... Bound>
struct operand_pointers<type_list<Bound...>> : operand_pointer<Bound>... {
  template <class B>
  EDGEWISE_HD operand_pointer<B> const& of() const {
    return static_cast<operand_pointer<B> const&>(*this);
  }
  template <class B>
  operand_pointer<B>& of() {
    return static_cast<operand_pointer<B>&>(*this);
  }
};

}  // namespace edgewise::inline v0::detail
