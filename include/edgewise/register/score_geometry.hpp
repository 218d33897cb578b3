// One number of one head a thread: where scores are evaluated apart from the channels of rows.
#pragma once

#include <edgewise/register/geometry_concept.hpp>

namespace edgewise::inline v0::detail {

/// A thread has one number for each edge of its block, of head `of`: what expressions without channels need to know.
struct score_geometry {
  static constexpr int group_size = 1;
  static constexpr int max_chunks = 1;
  static constexpr int channels_per_chunk = 1;
  static constexpr access access_of = access::element;
  static constexpr packing packing_of = packing::padded;

  int of;
  bool is_inside;  ///< is it a head of the tile?

  EDGEWISE_HD static constexpr int chunks() { return 1; }
  EDGEWISE_HD int head(int) const { return of; }
  EDGEWISE_HD bool valid_head(int) const { return is_inside; }
  EDGEWISE_HD int valid_channels(int) const { return is_inside ? 1 : 0; }
  EDGEWISE_HD bool owns_head(int) const { return is_inside; }
  EDGEWISE_HD bool owns_row() const { return is_inside; }

  // A thread alone has each of its numbers.
  template <class V>
  EDGEWISE_HD void sum_heads_in_place(V&) const {}
  template <class V>
  EDGEWISE_HD void sum_row_in_place(V&) const {}
  template <class V, class F>
  EDGEWISE_HD void for_each_head_sum(V& x, F const& f) const {
    for (int b = 0; b < V::edges; ++b) f(b, 0, x.v[b][0][0]);
  }
  template <class V, class F>
  EDGEWISE_HD void for_each_row_sum(V& x, F const& f) const {
    for_each_head_sum(x, f);
  }
};
static_assert(geometry<score_geometry>);

}  // namespace edgewise::inline v0::detail
