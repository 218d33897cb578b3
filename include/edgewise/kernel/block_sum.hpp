// Sums over a block of edges.
#pragma once

#include <edgewise/kernel/edge_mask.hpp>
#include <edgewise/kernel/value.hpp>

namespace edgewise::detail {

/// What the edges of a block have together. Whoever adds it to a long sum rounds that once a block, not once an edge.
template <class Geometry, int Blocks, class T, extent E, int B, int C, int L>
EDGEWISE_HD auto sum_of_block(Geometry const& geo, edge_mask<Blocks> const& ok,
                              register_value<T, E, B, C, L> const& x) {
  register_value<T, E, 1, C, L> total;
  for_each_entry<decltype(total)>(geo, [&](int, int c, int l) { total.at(0, c, l) = ok[0] ? x.at(0, c, l) : T(0); });
  EDGEWISE_UNROLL
  for (int b = 1; b < Blocks; ++b) {
    if (ok[b]) for_each_entry<decltype(total)>(geo, [&](int, int c, int l) { total.at(0, c, l) += x.at(b, c, l); });
  }
  return total;
}

}  // namespace edgewise::detail
