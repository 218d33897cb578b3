// Programs of which the products of the features with matrices are taken out, to be made before them.
#pragma once

#include <type_traits>

#include <edgewise/edgewise.hpp>

namespace edgewise::models {

/// The rows x W in the place of `linear<W>(src<x>)` and `linear<W>(dst<x>)`.
template <class W>
struct product_with;

namespace detail {

/// Takes products of the features X out of an expression.
template <class X>
struct take_products_out {
  static constexpr bool renames_leaves = true;

  template <class E>
  struct rule {
    static constexpr bool takes = false;
  };
  template <class W, role Role>
  struct rule<linear_node<W, leaf<Role, X>>> {
    static constexpr bool takes = true;
    static constexpr auto apply(linear_node<W, leaf<Role, X>> const&) { return leaf<Role, product_with<W>>{}; }
  };
  template <class Gather, class Message>
  struct rule<gather_node<Gather, Message>> {
    static constexpr bool takes = true;
    static constexpr auto apply(gather_node<Gather, Message> const& node) {
      return gather<Gather>(edgewise::detail::rewrite<take_products_out>(node.message));
    }
  };

  template <class E>
  static constexpr bool takes = rule<E>::takes;
  template <class E>
  static constexpr auto apply(E const& e) {
    return rule<E>::apply(e);
  }
};

/// Does an expression, or a message in it, read Name?
template <class Name, class E>
struct reads_name;
template <class Name, class List>
struct any_reads_name;
template <class Name, class... E>
struct any_reads_name<Name, type_list<E...>> : std::bool_constant<(reads_name<Name, E>::value || ...)> {};
template <class Name, class E>
struct reads_name : any_reads_name<Name, typename edgewise::detail::argument_list<E>::type> {};
template <class Name, role Role>
struct reads_name<Name, leaf<Role, Name>> : std::true_type {};
template <class Name, class Gather, class Message>
struct reads_name<Name, gather_node<Gather, Message>> : reads_name<Name, Message> {};

/// Does an expression, or a message in it, have products with the matrix W?
template <class W, class E>
struct multiplies;
template <class W, class List>
struct any_multiplies;
template <class W, class... E>
struct any_multiplies<W, type_list<E...>> : std::bool_constant<(multiplies<W, E>::value || ...)> {};
template <class W, class E>
struct multiplies : any_multiplies<W, typename edgewise::detail::argument_list<E>::type> {};
template <class W, class X>
struct multiplies<W, linear_node<W, X>> : std::true_type {};
template <class W, class Gather, class Message>
struct multiplies<W, gather_node<Gather, Message>> : multiplies<W, Message> {};

}  // namespace detail

/// A program that reads `product_with<W>` where `program` has products of the rows X of vertices.
template <class X, class Program>
constexpr auto features_first(Program const& program) {
  return edgewise::detail::rewrite<detail::take_products_out<X>>(program);
}
/// Does a program read Name?
template <class Name, class Program>
inline constexpr bool reads = detail::reads_name<Name, Program>::value;
/// Does a program multiply rows by the matrix W?
template <class W, class Program>
inline constexpr bool reads_matrix = detail::multiplies<W, Program>::value;

}  // namespace edgewise::models
