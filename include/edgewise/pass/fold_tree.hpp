// Long rows are summed as a tree on the host: rounding errors grow with the logarithm of a row's edges, not with their
// number. (A device cuts long rows into pieces, and folds their slots in levels: mapping/work_split.hpp,
// engine/cuda/fold_slots.cuh.)
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include <edgewise/core/config.hpp>

namespace edgewise::inline v0::detail {

/// Terms that are added one after another, in a state of their own: a leaf of a sum.
inline constexpr int leaf_terms = 256;

/// Merges partial states in order: `fanout` leaves make a node of level 0, `fanout` nodes one of the next level, and so
/// on; the last level takes all that come. Up to 2^28 edges the error of a row is that of a chain of fewer than 400
/// terms. What is merged with what follows from the number of leaves alone.
template <class State>
struct fold_tree {
  static constexpr int fanout_bits = 5;
  static constexpr std::uint32_t fanout = 1u << fanout_bits;
  static constexpr int num_levels = 4;

  State level[num_levels];
  std::uint32_t num_leaves = 0;

  /// Takes the next leaf. The last one comes back as the whole. Merge: merge(State& into, State const& later).
  template <class Merge>
  void take(State& leaf, bool is_last, Merge const& merge) {
    for (int i = 0; i < num_levels; ++i) {
      std::uint32_t const above = num_leaves >> (fanout_bits * i);
      std::uint32_t const nodes = i + 1 < num_levels ? above & (fanout - 1) : above;
      if (nodes != 0) {
        State earlier = level[i];
        merge(earlier, leaf);
        leaf = earlier;
      }
      bool const is_full = i + 1 < num_levels && nodes == fanout - 1;
      if (!is_last && !is_full) {
        level[i] = leaf;
        break;
      }
    }
    ++num_leaves;
  }
};

template <class Pass>
concept says_rounds_rows = requires {
  Pass::rounds_rows;
};
/// Is merging two parts of a row a sum that rounds? Largest messages are what they are in any order.
template <class Pass>
inline constexpr bool rounds_rows = false;
template <says_rounds_rows Pass>
inline constexpr bool rounds_rows<Pass> = Pass::rounds_rows;

/// The tree of a row: it merges what pieces would.
template <class Pass, class Geometry>
using row_tree = fold_tree<
    std::remove_reference_t<decltype(Pass::row_part(std::declval<typename Pass::template state<Geometry>&>()))>>;

template <class Pass, class Geometry, class Part>
EDGEWISE_COLD void take_part(Pass const& pass, Geometry const& geo, fold_tree<Part>& tree, Part& leaf, bool is_last) {
  tree.take(leaf, is_last, [&](Part& into, Part const& later) { pass.merge_parts(geo, into, later); });
}
/// Takes the next leaf of a row, or of its slots, to its tree; the last one leaves the whole in `state`.
template <class Pass, class Geometry, class State>
EDGEWISE_ALWAYS_INLINE inline void take_leaf(Pass const& pass, Geometry const& geo, row_tree<Pass, Geometry>& tree, bool is_last, State& state) {
  auto leaf = Pass::row_part(state);  // a copy: what a function is handed lies in memory, the walk's state does not
  take_part(pass, geo, tree, leaf, is_last);
  Pass::row_part(state) = leaf;
}

/// Walks positions [begin, end) of a row leaf by leaf: calls walk_leaf(begin, end) of each. The row's state is left in
/// `state`, which is started.
EDGEWISE_HD_AS_ITS_ARGUMENT
template <class Pass, class Geometry, class Offset, class State, class Walk>
EDGEWISE_HD void walk_leaves(Pass const& pass, Geometry const& geo, Offset begin, Offset end, State& state,
                             Walk const& walk_leaf) {
  if constexpr (rounds_rows<Pass>) {
    row_tree<Pass, Geometry> tree;
    while (true) {
      bool const is_last = end - begin <= leaf_terms;
      Offset const next = is_last ? end : static_cast<Offset>(begin + leaf_terms);
      walk_leaf(begin, next);
      if (is_last && tree.num_leaves == 0) return;
      take_leaf(pass, geo, tree, is_last, state);
      if (is_last) return;
      pass.start(geo, state);
      begin = next;
    }
  } else {
    if constexpr (Pass::has_parameter_targets) {  // whose sums have leaves, too
      for (; end - begin > leaf_terms; begin += leaf_terms) {
        walk_leaf(begin, static_cast<Offset>(begin + leaf_terms));
        pass.start(geo, state);  // what was hoisted for the row has been pulled
      }
    }
    walk_leaf(begin, end);
  }
}

/// Folds the slots of a row as a tree, too.
template <class Pass, class Geometry>
struct slot_folder {
  row_tree<Pass, Geometry> tree;
  int num_merged = 0;  ///< to the leaf

  /// Called after one more slot was merged to `state`.
  template <class State>
  void after_merge(Pass const& pass, Geometry const& geo, bool is_last, State& state) {
    ++num_merged;
    if (is_last ? tree.num_leaves == 0 : num_merged < leaf_terms) return;
    take_leaf(pass, geo, tree, is_last, state);
    if (!is_last) pass.start(geo, state);
    num_merged = 0;
  }
};
template <class Pass, class Geometry>
requires(!rounds_rows<Pass>) struct slot_folder<Pass, Geometry> {
  template <class State>
  void after_merge(Pass const&, Geometry const&, bool, State&) {}
};

}  // namespace edgewise::inline v0::detail
