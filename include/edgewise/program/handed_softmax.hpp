// A softmax sum whose weights and adjoints of scores were left by an earlier traversal: what the traversal by source
// pulls adjoints through where a program hands them over (program/hand_over.hpp).
#pragma once

#include <edgewise/expression/component.hpp>
#include <edgewise/program/aggregation.hpp>

namespace edgewise::inline v0::detail {

/// What one traversal hands to the next of softmax sum I, one row per edge: for each head a pair, the weight and the
/// adjoint of the score. Pairs lie together, so that a tile of a few heads reads and writes whole sectors of a cache.
template <int I>
struct handed_pairs {};
template <int I>
using handed_weight_leaf = leaf<role::edge, component<handed_pairs<I>, 0, 2>>;
template <int I>
using handed_adjoint_leaf = leaf<role::edge, component<handed_pairs<I>, 1, 2>>;

template <class Leaf>
inline constexpr bool is_handed_leaf = false;
template <int I, int Index>
inline constexpr bool is_handed_leaf<leaf<role::edge, component<handed_pairs<I>, Index, 2>>> = true;

/// Not a softmax to a pass: no score is evaluated, no weight computed. A struct of its own: a pass whose aggregation
/// derived from `softmax_aggregation` read operands elsewhere on a device than the host had put them (nvcc 13).
template <class Score, class Value>
struct handed_softmax {
  using arguments = type_list<Score, Value>;
  using leaves = unique_types<concat_types<typename Score::leaves, typename Value::leaves>>;
  static constexpr bool is_softmax = false;
  Score score;
  Value value;

  template <int I>
  EDGEWISE_HD constexpr auto const& argument() const {
    if constexpr (I == 0) {
      return score;
    } else {
      return value;
    }
  }
  template <class S, class V>
  constexpr auto with_arguments(S const& s, V const& v) const {
    return handed_softmax<S, V>{s, v};
  }
};

}  // namespace edgewise::inline v0::detail
