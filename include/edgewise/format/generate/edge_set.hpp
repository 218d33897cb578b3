// What the generators share: drawing different pairs, and turning lists of pairs into a coo.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <edgewise/core/error.hpp>
#include <edgewise/format/coo.hpp>
#include <edgewise/format/generate/splitmix64.hpp>

namespace edgewise::inline v0::detail {

using endpoint_pair = std::pair<std::int64_t, std::int64_t>;  // source, destination

/// `count` different numbers below `universe`, ascending; every such set is equally likely. count <= universe.
inline std::vector<std::uint64_t> draw_distinct(std::uint64_t universe, std::uint64_t count, splitmix64& random) {
  if (count > universe / 2) {  // draws would collide mostly: draw what stays out
    auto const left_out = draw_distinct(universe, universe - count, random);
    std::vector<std::uint64_t> drawn;
    drawn.reserve(count);
    auto next = left_out.begin();
    for (std::uint64_t number = 0; number < universe; ++number) {
      if (next != left_out.end() && *next == number) {
        ++next;
      } else {
        drawn.push_back(number);
      }
    }
    return drawn;
  }
  std::vector<std::uint64_t> drawn;
  drawn.reserve(count);
  while (drawn.size() < count) {
    for (auto missing = count - drawn.size(); missing > 0; --missing) drawn.push_back(random.below(universe));
    std::sort(drawn.begin(), drawn.end());
    drawn.erase(std::unique(drawn.begin(), drawn.end()), drawn.end());
  }
  return drawn;
}

/// The edges in the order of the list.
template <class Index, class Offset>
coo<Index, Offset> coo_of_pairs(vertex_counts counts, std::vector<endpoint_pair> const& edges) {
  host_buffer<Index> sources(edges.size(), host_memory());
  host_buffer<Index> destinations(edges.size(), host_memory());
  for (std::size_t k = 0; k < edges.size(); ++k) {
    sources[k] = static_cast<Index>(edges[k].first);
    destinations[k] = static_cast<Index>(edges[k].second);
  }
  return {counts, std::move(sources), std::move(destinations)};
}

/// Every pair in both directions, sorted by (source, destination).
template <class Index, class Offset>
coo<Index, Offset> coo_of_undirected_pairs(std::int64_t num_vertices, std::vector<endpoint_pair> edges) {
  auto const num_pairs = edges.size();
  for (std::size_t k = 0; k < num_pairs; ++k) edges.emplace_back(edges[k].second, edges[k].first);
  std::sort(edges.begin(), edges.end());
  return coo_of_pairs<Index, Offset>(vertices(num_vertices), edges);
}

inline void require_probability(char const* generator, char const* what, double probability) {
  if (!(probability >= 0 && probability <= 1)) {
    throw invalid_argument(text(generator, ": ", what, " = ", probability, ", must be in [0, 1]"));
  }
}

/// Vertex ids are multiplied in 64 bits, so counts stay below 2^31 here.
inline void require_vertex_count(char const* generator, char const* what, std::int64_t count) {
  if (count < 0 || count > 0x7fffffff) {
    throw invalid_argument(text(generator, ": ", what, " = ", count, ", must be in [0, 2147483647]"));
  }
}

}  // namespace edgewise::inline v0::detail
