// `with_self`: a virtual self edge of every vertex inside a gather, without adding loops to the graph.
#pragma once

#include <edgewise/expression/component.hpp>
#include <edgewise/expression/rewrite.hpp>

namespace edgewise::inline v0 {

/// The operand that the self edge reads in place of `edge<Name>`: a row by vertex, `bind<self<w>>(per_row(...))`; and
/// in place of `relation<Name>`: one row for the type that all self edges are of.
template <class Name>
struct self {};

/// A message that also runs along a virtual edge from every vertex to itself (fuseGNN, ICCAD 2020, section 4: self
/// weights inside the kernel). On it `src<x>` reads row v of x, `edge<w>` row v of `dst<self<w>>`, and `relation<r>`
/// the row of `param<self<r>>`.
template <class Message>
struct with_self_node : unary_node<with_self_node, Message> {};

/// `gather<G>(with_self(m))`: G over a row's edges and then its self edge, whose id is the number of edges plus the
/// row: equal to the graph with a loop appended to every vertex. Needs as many sources as destinations.
template <expression Message>
constexpr auto with_self(Message const& message) {
  return with_self_node<Message>{{message}};
}

namespace detail {

/// Stands where an aggregation has no self edge.
struct no_self {
  using leaves = type_list<>;
};

/// Leaves as they read on a self edge.
struct self_edge_rule {
  static constexpr bool renames_leaves = true;
  template <class E>
  static constexpr bool takes = is_leaf_of<E, role::source, role::edge, role::relation>;

  template <class Name>
  static constexpr auto apply(leaf<role::source, Name> const&) {
    return leaf<role::destination, Name>{};
  }
  template <class Name>
  static constexpr auto apply(leaf<role::edge, Name> const&) {
    return leaf<role::destination, self<Name>>{};
  }
  template <class Name, int Index, int Length>
  static constexpr auto apply(leaf<role::edge, component<Name, Index, Length>> const&) {
    return leaf<role::destination, component<self<Name>, Index, Length>>{};
  }
  template <class Name>
  static constexpr auto apply(leaf<role::relation, Name> const&) {
    return leaf<role::parameter, self<Name>>{};
  }
  template <class Name, int Index, int Length>
  static constexpr auto apply(leaf<role::relation, component<Name, Index, Length>> const&) {
    return leaf<role::parameter, component<self<Name>, Index, Length>>{};
  }
};
/// The message as it reads on a self edge.
template <class E>
constexpr auto self_message(E const& e) {
  return rewrite<self_edge_rule>(e);
}

}  // namespace detail
}  // namespace edgewise::inline v0
