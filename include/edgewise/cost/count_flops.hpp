// How many operations the passes of a program take, counted from its types.
//
// A value costs its operation's `flops` for every element that it has: an expression without channels is counted once
// per head. Equal expressions are evaluated once, those that a row decides once per row, those of parameters are free.
// An adjoint costs an operation's flops for each argument that it is pulled to, and an addition per element where it is
// summed over channels, heads or edges. Values that no derivative reads are not evaluated.
#pragma once

#include <edgewise/core/extents.hpp>
#include <edgewise/program/bound_leaf.hpp>
#include <edgewise/program/hoisted.hpp>

namespace edgewise::inline v0::detail {

struct flop_count {
  std::int64_t edge = 0;  ///< of each edge
  std::int64_t row = 0;   ///< of each row

  friend flop_count operator+(flop_count a, flop_count b) { return {a.edge + b.edge, a.row + b.row}; }
};

/// Table: the bound leaves; a leaf without an entry is taken for wide.
template <class E, class Table>
struct axes_rule {
  static consteval row_axes find() {
    return []<class... A>(type_list<A...>) {
      row_axes all;
      ((all = join_axes(all, axes_rule<A, Table>::find())), ...);
      return row_axes{all.heads && !sums_over<E>.heads, all.channels && !sums_over<E>.channels};
    }(typename parts<E>::types{});
  }
};
template <role Role, class Name, class Table>
struct axes_rule<leaf<Role, Name>, Table> {
  static consteval row_axes find() {
    using bound = bound_for<leaf<Role, Name>, Table>;
    if constexpr (std::is_void_v<bound>) {
      return {true, true};
    } else {
      return {bound::kind == operand_kind::wide || bound::kind == operand_kind::per_head,
              bound::kind == operand_kind::wide || bound::kind == operand_kind::per_channel};
    }
  }
};
template <class E, class Table>
inline constexpr row_axes axes_of = axes_rule<E, Table>::find();

/// Operations of one evaluation of a node.
template <class E, class Table>
std::int64_t flops_of_value(row_extents extents) {
  if constexpr (sums_over<E> != row_axes{} && !is_stored<E>) {
    return elements_along(axes_of<type_at<0, typename E::arguments>, Table>, extents);
  } else {
    return flops_of_node<E> * elements_along(axes_of<E, Table>, extents);
  }
}

/// For how long a value is fixed in a pass over rows of role Fixed.
template <class E, role Fixed>
inline constexpr duration duration_in = role_of_expression<E> == role::parameter ? duration::launch
                                        : role_of_expression<E> == Fixed         ? duration::row
                                                                                 : duration::block;

/// Adds `flops` where an expression of that duration is worked on.
constexpr flop_count lasting(duration d, std::int64_t flops) {
  return {d == duration::block ? flops : 0, d == duration::row ? flops : 0};
}

/// Done and the different expressions at and below Roots.
template <class Done, class Roots>
struct collect_values;
template <class Done>
struct collect_values<Done, type_list<>> {
  using type = Done;
};
template <class Done, class E>
struct collect_value : append_type<typename collect_values<Done, value_arguments<E>>::type, E> {};
template <class Done, class E, class... Rest>
struct collect_values<Done, type_list<E, Rest...>>
    : collect_values<typename std::conditional_t<contains_type<E, Done>, type_tag<Done>, collect_value<Done, E>>::type,
                     type_list<Rest...>> {};

/// Operations of evaluating Roots and all below them.
template <class Roots, role Fixed, class Table>
flop_count flops_of_values(row_extents extents) {
  flop_count total;
  [&]<class... E>(type_list<E...>) {
    ((total = total + lasting(duration_in<E, Fixed>, flops_of_value<E, Table>(extents))), ...);
  }(typename collect_values<type_list<>, Roots>::type{});
  return total;
}

/// The expressions whose values are read when an adjoint is pulled from E to Targets; the counterpart of `pull_needs`.
template <class E, class Targets>
struct pull_values {
  using type = type_list<>;
};
template <class E, class Targets, class Arguments, class Indices>
struct node_values;
template <class E, class Targets, class... Arg, int... J>
struct node_values<E, Targets, type_list<Arg...>, std::integer_sequence<int, J...>> {
  template <int I, class To>
  static consteval auto towards() {
    if constexpr (!depends_on<To, Targets>) {
      return type_tag<type_list<>>{};
    } else {
      constexpr unsigned reads = reads_of_node<E, I>;
      return type_tag<concat_types<std::conditional_t<(reads & reads_result) != 0, type_list<E>, type_list<>>,
                                   typename pull_values<To, Targets>::type,
                                   std::conditional_t<(reads >> J & 1u) != 0, type_list<Arg>, type_list<>>...>>{};
    }
  }
  using type = unique_types<concat_types<type_list<>, typename decltype(towards<J, Arg>())::type...>>;
};
template <class E, class Targets>
requires is_node<E>
struct pull_values<E, Targets>
    : node_values<E, Targets, typename E::arguments, std::make_integer_sequence<int, E::arguments::size>> {
};

/// Pulling adjoints from Roots to Targets in a pass over rows of role Fixed. Root: how often the roots' adjoints
/// change.
template <class Roots, class Targets, role Fixed, class Table, duration Root = duration::block>
struct pull_count {
  template <class E>
  struct leads : std::bool_constant<depends_on<E, Targets>> {};
  template <class E>
  using arguments = filter_types<leads, typename parts<E>::types>;
  template <class Done, class List>
  struct collect;
  template <class Done>
  struct collect<Done, type_list<>> {
    using type = Done;
  };
  template <class Done, class E>
  struct collect_one : append_type<typename collect<Done, arguments<E>>::type, E> {};
  template <class Done, class E, class... Rest>
  struct collect<Done, type_list<E, Rest...>>
      : collect<typename std::conditional_t<contains_type<E, Done>, type_tag<Done>, collect_one<Done, E>>::type,
                type_list<Rest...>> {};
  using roots = filter_types<leads, Roots>;
  using pulled = typename collect<type_list<>, roots>::type;

  /// What is fixed for longer than where its adjoint comes from is summed up.
  template <class E>
  static flop_count sum_from(duration d, row_extents extents) {
    bool const lasts = duration_in<E, Fixed> < d;
    return lasting(d, lasts ? elements_along(axes_of<E, Table>, extents) : 0);
  }
  /// The operations of pulling an adjoint from E to its argument A.
  template <class E, class A>
  static flop_count pull(row_extents extents) {
    constexpr row_axes from = axes_of<E, Table>, to = axes_of<A, Table>;
    std::int64_t flops = flops_of_node<E> * elements_along(from, extents);
    if (join_axes(from, to) != to) flops += elements_along(from, extents);
    return lasting(duration_in<E, Fixed>, flops) + sum_from<A>(duration_in<E, Fixed>, extents);
  }
  static flop_count count(row_extents extents) {
    flop_count total;
    [&]<class... E>(type_list<E...>) {
      ((total = total + pull_to_arguments<E>(arguments<E>{}, extents)), ...);
    }(pulled{});
    [&]<class... E>(type_list<E...>) { ((total = total + sum_from<E>(Root, extents)), ...); }(roots{});
    return total;
  }

private:
  template <class E, class... A>
  static flop_count pull_to_arguments(type_list<A...>, [[maybe_unused]] row_extents extents) {
    flop_count total;
    ((total = total + pull<E, A>(extents)), ...);
    return total;
  }
};

}  // namespace edgewise::inline v0::detail
