// A name for a part of a message, by which options of `fuse` speak of it.
#pragma once

#include <edgewise/expression/expression.hpp>

namespace edgewise::inline v0 {

namespace operation {

/// The argument itself. Dissolved before anything is compiled for it (program/stash.hpp).
template <class Name>
struct named {
  static constexpr char const* name = "named";
  static constexpr int flops = 0;
  template <class T>
  EDGEWISE_HD T value(T x) const {
    return x;
  }
  template <int I>
  static constexpr unsigned reads = 0;
  template <int I, class T>
  EDGEWISE_HD T pull(T adjoint, T, T) const {
    return adjoint;
  }
};

}  // namespace operation

namespace detail {

template <class E>
inline constexpr bool is_named = false;
template <class Name, class A>
inline constexpr bool is_named<node<operation::named<Name>, A>> = true;

}  // namespace detail

/// `named<score>(x)` is x, and `fuse(..., stash<score>{})` keeps its value for the backward pass. Where values of
/// vertices are read along edges, `at_source(named<hidden>(x))` and `at_destination(named<hidden>(x))` are one value,
/// computed once; so are gathers in x, wherever x is read. A name says that numbers in x, such as a rate of dropout,
/// are the same ones, which is believed. Give parts that differ in numbers names of their own.
template <class Name, expression A>
constexpr auto named(A const& a) {
  return detail::make_node(operation::named<Name>{}, a);
}

}  // namespace edgewise::inline v0
