// `sum_over`: the sum of an expression over the components of small vectors.
#pragma once

#include <edgewise/expression/component.hpp>
#include <edgewise/expression/named.hpp>
#include <edgewise/expression/rewrite.hpp>
#include <edgewise/expression/scatter_node.hpp>
#include <edgewise/expression/with_self.hpp>

namespace edgewise::inline v0 {

namespace detail {

/// Leaves as component Index of vectors of Length; those of a sum further in are its own.
template <int Length, int Index>
struct component_rule {
  static constexpr bool renames_leaves = true;
  template <class E>
  static constexpr bool takes = is_leaf<E> && !is_component<E>;

  template <role Role, class Name>
  static constexpr auto apply(leaf<Role, Name> const&) {
    return leaf<Role, component<Name, Index, Length>>{};
  }
};

template <class E>
struct is_of_whole_row : std::bool_constant<is_gather<E>::value || is_softmax<E>::value || is_scatter<E>::value> {};
template <class M>
struct is_of_whole_row<with_self_node<M>> : std::true_type {};
template <class E>
struct is_named_part : std::false_type {};
template <class Name, class A>
struct is_named_part<node<operation::named<Name>, A>> : std::true_type {};

template <int Length, int Index, class E>
constexpr auto add_components(E const& e) {
  auto const last = rewrite<component_rule<Length, Index>>(e);
  if constexpr (Index == 0) {
    return last;
  } else {
    return add_components<Length, Index - 1>(e) + last;
  }
}

}  // namespace detail

/// `sum_over<R>(x)`: x with component r of every small vector in it (`vec_per_row<R>`, `vec_per_head<R>`), summed over
/// r from 0 to R - 1 in this order; other operands are the same in all of them. A vector is read under a sum of its own
/// length and nowhere else; a sum inside another has its vectors to itself. The gradient of a vector is asked for and
/// bound like any other's, as one tensor. A name of a dropout inside drops the same elements for every component. So
/// MoNet's kernels (Monti et al. 2017, arXiv:1611.08402):
///   exp(-0.5f * sum_over<2>(square((edge<p> - param<mu>) * param<inv_sigma>)))
template <int R, expression A>
constexpr auto sum_over(A const& x) {
  static_assert(R >= 1, "sum_over<R>: R is the length of small vectors, at least 1");
  static_assert(
      !detail::any_node<detail::is_of_whole_row, A>::value,
      "sum_over: sums the components of operands; gather, scatter, with_self and softmax belong around it, as "
      "in gather<sum>(softmax(sum_over<R>(x)) * y) (expression/sum_over.hpp)");
  static_assert(!detail::any_node<detail::is_named_part, A>::value,
                "sum_over: a name marks the sum and not what is summed, named<name>(sum_over<R>(x)) "
                "(expression/sum_over.hpp)");
  return detail::add_components<R, R - 1>(x);
}

}  // namespace edgewise::inline v0
