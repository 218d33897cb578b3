// A lowered program and the expressions whose values its forward pass keeps for the backward pass.
#pragma once

#include <edgewise/program/parts.hpp>
#include <edgewise/program/stashed_node.hpp>

namespace edgewise::inline v0::detail {

/// A program whose forward pass keeps values of expressions that edges compute.
template <class Lowered, class Stashed>
struct stashing_program : Lowered {
  using lowered = Lowered;
  using stashed = Stashed;
};
template <class Lowered, class Stashed>
struct parts<stashing_program<Lowered, Stashed>> : parts<Lowered> {};

template <class Program>
struct stashed_of {
  using type = type_list<>;
  using lowered = Program;
};
template <class Lowered, class Stashed>
struct stashed_of<stashing_program<Lowered, Stashed>> {
  using type = Stashed;
  using lowered = Lowered;
};

}  // namespace edgewise::inline v0::detail
