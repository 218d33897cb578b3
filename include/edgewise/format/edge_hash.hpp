// Numbers for edges, whose sums tell one set of edges from another in whatever order they lie.
#pragma once

#include <cstdint>

#include <edgewise/core/config.hpp>
#include <edgewise/format/grouping.hpp>

namespace edgewise::inline v0::detail {

/// What makes an edge the same in two formats: its endpoints, and its id where anything goes by ids.
enum class edge_identity { endpoints, endpoints_and_id };

/// Every bit of an edge in every bit of a number, so that sums over two different sets of edges agree by a chance of
/// 2^-64. The last steps are those of splitmix64: Steele, Lea & Flood 2014, doi:10.1145/2660193.2660195.
template <class Index>
EDGEWISE_HD std::uint64_t hash_edge(Index source, Index destination, std::uint64_t id) {
  auto z = static_cast<std::uint64_t>(source);
  if constexpr (sizeof(Index) == 4) {
    z = z << 32 | static_cast<std::uint32_t>(destination);
  } else {
    z = (z ^ z >> 29) * 0xd6e8feb86659fd93u + static_cast<std::uint64_t>(destination);
  }
  z += (id + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

/// The hash of the edge at a position of a grouping. Row: the one that the position belongs to; rows that are types are
/// no ends of edges, which have two arrays there, and count as grouped by source.
template <endpoint By, class Index, class Offset>
EDGEWISE_HD std::uint64_t hash_position(grouping_view<Index, Offset> const& grouping, Index row, Offset position,
                                        edge_identity identity) {
  Index const neighbor = grouping.neighbors[position];
  if (grouping.far_ends) row = grouping.far_ends[position];
  std::uint64_t const id =
      identity == edge_identity::endpoints ? 0 : static_cast<std::uint64_t>(grouping.edge_id(position));
  return By == endpoint::destination ? hash_edge(neighbor, row, id) : hash_edge(row, neighbor, id);
}

/// The row of a position, among rows [first, last]; the first row's offset is not behind it.
template <class Index, class Offset>
EDGEWISE_HD Index row_of_position(Offset const* offsets, Index first, Index last, Offset position) {
  while (first < last) {
    Index const middle = first + (last - first + 1) / 2;
    if (offsets[middle] <= position) {
      first = middle;
    } else {
      last = middle - 1;
    }
  }
  return first;
}

}  // namespace edgewise::inline v0::detail
