// Which integers a graph's arrays may hold.
#pragma once

#include <type_traits>

namespace edgewise::inline v0::detail {

template <class T>
inline constexpr bool is_graph_integer =
    std::is_same_v<T, int> || std::is_same_v<T, long> || std::is_same_v<T, long long>;

/// Types of vertices (Index) and of positions and edges (Offset). Signed, since -1 is no vertex and no edge, and
/// differences of offsets are compared with 0; 32 or 64 bits, as atomics of a device take them.
template <class Index, class Offset = int>
struct require_graph_integers {
  static_assert(is_graph_integer<Index>,
                "graph: vertex ids (sources, destinations, neighbors, orders) must be signed integers of 32 or 64 "
                "bits, std::int32_t or std::int64_t, not unsigned, narrower or const; copy such an array first "
                "(format/graph_integers.hpp)");
  static_assert(is_graph_integer<Offset>,
                "graph: offsets and edge ids must be signed integers of 32 or 64 bits, std::int32_t or std::int64_t, "
                "not unsigned, narrower or const; copy such an array first (format/graph_integers.hpp)");
  static constexpr bool ok = true;
};

}  // namespace edgewise::inline v0::detail
