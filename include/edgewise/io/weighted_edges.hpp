// Edges with an optional weight each, as text files list them.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include <edgewise/core/memory.hpp>
#include <edgewise/format/coo.hpp>

namespace edgewise::inline v0 {

/// Shape: weights [E] by edge id, empty where the file has none. Weight: float or double.
template <class Index = std::int32_t, class Offset = std::int32_t, class Weight = double>
struct weighted_edges {
  static_assert(std::is_same_v<Weight, float> || std::is_same_v<Weight, double>,
                "weighted_edges: weights are read as float or double; convert to 16 bits after (core/float16.hpp)");
  coo<Index, Offset> edges;
  host_buffer<Weight> weights;
};

/// Whether a file that names every link once means one edge or both.
enum class edge_direction {
  as_listed,
  both  ///< the reverse follows each edge, with its weight; a self loop is one edge
};

namespace detail {

/// Collects edges while their number is not known.
template <class Index, class Weight>
struct edge_collector {
  std::vector<Index> sources;
  std::vector<Index> destinations;
  std::vector<Weight> weights;

  void add(std::int64_t source, std::int64_t destination) {
    sources.push_back(static_cast<Index>(source));
    destinations.push_back(static_cast<Index>(destination));
  }
  void add(std::int64_t source, std::int64_t destination, Weight weight) {
    add(source, destination);
    weights.push_back(weight);
  }

  template <class Offset>
  weighted_edges<Index, Offset, Weight> take(vertex_counts counts) const {
    return {{counts, copy_of(std::span<Index const>(sources)), copy_of(std::span<Index const>(destinations))},
            copy_of(std::span<Weight const>(weights))};
  }
};

}  // namespace detail
}  // namespace edgewise::inline v0
