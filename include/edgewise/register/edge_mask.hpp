// Which edges of a block are edges of the range that a group walks.
#pragma once

#include <edgewise/core/config.hpp>

namespace edgewise::inline v0::detail {

/// The first `left` of Edges edges, all of them where there are more. The first edge has a number of its own, which is
/// known where a block is only begun for an edge.
template <int Edges>
struct edge_mask {
  bool first;
  int left;  ///< may be negative

  /// The mask of the block that begins at position `begin` of a range that ends at `end`.
  template <class Offset>
  EDGEWISE_HD static edge_mask of(Offset begin, Offset end) {
    Offset const left = end - begin;
    if constexpr (sizeof(Offset) <= sizeof(int)) {
      return {begin < end, left};
    } else {
      Offset const positive = left < 0 ? Offset(0) : left;
      return {begin < end, static_cast<int>(positive < Edges ? positive : Offset(Edges))};
    }
  }
  EDGEWISE_HD static edge_mask one(bool any) { return {any, any ? 1 : 0}; }

  /// Is edge b in the range? For numbers b that the compiler knows.
  EDGEWISE_HD bool operator[](int b) const { return b == 0 ? first : b < left; }
  /// Is edge b in the range? For a number b that differs from thread to thread.
  EDGEWISE_HD bool has(int b) const { return b < left; }
};

}  // namespace edgewise::inline v0::detail
