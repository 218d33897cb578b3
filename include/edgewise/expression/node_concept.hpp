// What trees of expressions are made of: nodes, which say themselves what lies below them, and what whoever walks the
// tree has to know of them.
#pragma once

#include <type_traits>
#include <utility>

#include <edgewise/core/config.hpp>
#include <edgewise/core/extents.hpp>
#include <edgewise/core/type_list.hpp>

namespace edgewise::inline v0 {

/// What a derivative reads besides the adjoint: bit j is the value of argument j, and these bits are the node's own
/// value and its own leaves.
inline constexpr unsigned reads_result = 1u << 31;
inline constexpr unsigned reads_own_leaves = 1u << 30;

// The contract of nodes, below.
template <class Node>
struct require_node;

/// What nodes of one argument share. Self: the template of the node.
template <template <class> class Self, class Arg>
struct unary_node {
  using edgewise_expression = void;
  using arguments = type_list<Arg>;
  using leaves = typename Arg::leaves;

  Arg arg;

  template <int I>
  EDGEWISE_HD constexpr Arg const& argument() const {
    static_assert(I == 0);
    return arg;
  }
  template <class A>
  constexpr Self<A> with_arguments(A const& a) const {
    return Self<A>{{a}};
  }
};

namespace detail {

/// What lies right below an expression: nothing below a leaf.
template <class E>
struct argument_list {
  using type = type_list<>;
};
template <class E>
requires requires { typename E::arguments; }
struct argument_list<E> {
  using type = typename E::arguments;
};

template <class E>
inline constexpr bool is_node = argument_list<E>::type::size > 0;

template <class Node, class Indices>
inline constexpr bool gives_arguments = false;
template <class Node, int... I>
inline constexpr bool gives_arguments<Node, std::integer_sequence<int, I...>> = requires(Node const& node) {
  (node.template argument<I>(), ...);
};
template <class Node, class Arguments>
inline constexpr bool takes_arguments = false;
template <class Node, class... A>
inline constexpr bool takes_arguments<Node, type_list<A...>> = requires(Node const& node, A const&... a) {
  node.with_arguments(a...);
};

template <class E>
inline constexpr row_axes sums_over{};
template <class E>
requires requires { E::sums_over; }
inline constexpr row_axes sums_over<E> = E::sums_over;

template <class E>
inline constexpr int flops_of_node = 0;
template <class E>
requires(is_node<E>&& requires { E::flops; }) inline constexpr int flops_of_node<E> = E::flops;

template <class E, int I>
inline constexpr unsigned reads_of_node = 0;
template <class E, int I>
requires requires { E::template reads<I>; }
inline constexpr unsigned reads_of_node<E, I> = E::template reads<I>;

template <class E>
inline constexpr bool node_chooses = false;
template <class E>
requires requires { E::chooses; }
inline constexpr bool node_chooses<E> = E::chooses;

template <class E>
struct own_leaves {
  using type = type_list<>;
};
template <class E>
requires requires { typename E::own_leaves; }
struct own_leaves<E> {
  using type = typename E::own_leaves;
};

template <class E>
inline constexpr bool is_stored = false;
template <class E>
requires requires { E::is_stored; }
inline constexpr bool is_stored<E> = E::is_stored;

/// The numbers that a node holds; an empty type where it holds none.
struct no_numbers {};
template <class E>
struct numbers_of {
  using type = no_numbers;
};
template <class E>
requires requires { typename E::numbers; }
struct numbers_of<E> {
  using type = typename E::numbers;
};

template <template <class> class Test, class List>
struct any_in_list;
template <template <class> class Test, class... E>
struct any_in_list<Test, type_list<E...>> {
  static constexpr bool value = (Test<E>::value || ...);
};

/// Does any node of the tree satisfy Test<Node>::value?
template <template <class> class Test, class E>
struct any_node {
  template <class F>
  struct below : std::bool_constant<any_node<Test, F>::value> {};
  static constexpr bool value = Test<E>::value || any_in_list<below, typename argument_list<E>::type>::value;
};

template <class E>
struct is_channel_sum : std::bool_constant<sums_over<E>.channels> {};
template <class E>
struct is_head_sum : std::bool_constant<sums_over<E>.heads> {};
template <class E>
inline constexpr bool has_head_sum = any_node<is_head_sum, E>::value;
template <class E>
inline constexpr bool has_channel_sum = any_node<is_channel_sum, E>::value;
template <class E>
struct has_channel_sum_in : std::bool_constant<has_channel_sum<E>> {};

}  // namespace detail

/// An expression is a leaf of its tree, or a node: a struct with `edgewise_expression`, `leaves`, `trace` and `pull`
/// (expression/expression.hpp) that also has
///   using arguments = type_list<...>;         // the expressions right below it
///   auto const& argument<I>() const;          // one of them
///   auto with_arguments(a...) const;          // the same node around others
/// and, where it is not as said here, what follows. It does not compile where the first do not fit one another.
///   static constexpr row_axes sums_over{};    // the axes over which it sums its argument
///   static constexpr int flops = 0;           // operations for each element of its value, but those of a sum: one for
///                                             // each element that it adds
///   static constexpr unsigned reads<I> = 0;   // what its derivative by argument I reads
///   static constexpr bool chooses = false;    // does a derivative of 0 say that the argument was not chosen?
///   using own_leaves = type_list<>;           // leaves that its value depends on besides those of its arguments
///   static constexpr bool is_stored = false;  // is its value in its own leaves, and not computed from its arguments?
///   using numbers = ...;                      // a type of numbers that the object holds, as that of an operation
///   auto with_numbers<N>(a...) const;         // where it holds some: the node around other arguments, its numbers
///                                             // converted to N, which derives from them
///   auto above_gathers(a...) const;           // how it reads in an epilogue, if not as `with_arguments`
///   auto with_renamed<Rule>(a...) const;      // `with_arguments` under a rule that renames leaves, where its type
///                                             // speaks of more leaves than its arguments do (expression/rewrite.hpp)
///   static constexpr char const* name;        // of the call that plans write in its place; or
///   auto text(writer) const;                  // what they write (explain/)
template <class Node>
struct require_node {
  static_assert(
      detail::gives_arguments<Node, std::make_integer_sequence<int, detail::argument_list<Node>::type::size>>,
      "node: needs 'argument<I>()', one of the expressions that its 'arguments' lists (expression/node_concept.hpp)");
  static_assert(detail::takes_arguments<Node, typename detail::argument_list<Node>::type>,
                "node: needs 'with_arguments(a...)', the same node around others (expression/node_concept.hpp)");
  static constexpr bool ok = true;
};

}  // namespace edgewise::inline v0
