// Sums of hashes over the edges of a grouping in host memory.
#pragma once

#include <cstdint>

#include <edgewise/core/cpu_threads.hpp>
#include <edgewise/core/resources.hpp>
#include <edgewise/format/edge_hash.hpp>
#include <edgewise/format/grouping.hpp>

namespace edgewise::inline v0::detail {

/// The sum of `hash_edge` over a host grouping, modulo 2^64: in any order, so that threads take equal shares.
template <endpoint By, class Index, class Offset>
std::uint64_t sum_edge_hashes(cpu const& exec, grouping_view<Index, Offset> const& grouping, edge_identity identity) {
  auto const num_edges = static_cast<std::int64_t>(grouping.num_edges);
  int const threads = num_threads(exec, num_edges);
  Offset const* const offsets = grouping.offsets;
  std::uint64_t sum = 0;
#if defined(_OPENMP)
#pragma omp parallel for schedule(static) num_threads(threads) reduction(+ : sum)
#endif
  for (int part = 0; part < threads; ++part) {
    auto const position_at = [&](int p) { return static_cast<Offset>(offsets[0] + num_edges * p / threads); };
    Offset const end = position_at(part + 1);
    Offset k = position_at(part);
    if (k == end) continue;
    for (Index row = row_of_position(offsets, Index(0), static_cast<Index>(grouping.num_rows - 1), k); k < end; ++row) {
      Offset const row_end = row + 1 < grouping.num_rows && offsets[row + 1] < end ? offsets[row + 1] : end;
      for (; k < row_end; ++k) sum += hash_position<By>(grouping, row, k, identity);
    }
  }
  return sum;
}

}  // namespace edgewise::inline v0::detail
