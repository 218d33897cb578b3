// Uniformly random graphs.
#pragma once

#include <edgewise/format/generate/edge_set.hpp>

namespace edgewise::inline v0 {

/// The sizes of the graph; `seed` decides which of those graphs it is.
struct uniform_options {
  vertex_counts counts;
  std::int64_t num_edges = 0;
  std::uint64_t seed = 0;
};

/// A directed or bipartite graph of exactly `num_edges` different edges; every set of them is equally likely, self
/// loops included. Sorted by (source, destination). Throws `invalid_argument` for more edges than there are pairs.
/// Source: Erdos & Renyi 1959, On random graphs I (the model G(n, M)).
template <class Index = std::int32_t, class Offset = std::int32_t>
coo<Index, Offset> generate_uniform(uniform_options const& options) {
  auto const [num_sources, num_destinations] = options.counts;
  detail::require_vertex_count("generate_uniform", "sources", num_sources);
  detail::require_vertex_count("generate_uniform", "destinations", num_destinations);
  auto const num_pairs = num_sources * num_destinations;
  if (options.num_edges < 0 || options.num_edges > num_pairs) {
    throw invalid_argument(detail::text("generate_uniform: num_edges = ", options.num_edges, ", must be in [0, ",
                                        num_pairs, "] for ", num_sources, " sources and ", num_destinations,
                                        " destinations"));
  }
  splitmix64 random(options.seed);
  std::vector<detail::endpoint_pair> edges;
  edges.reserve(static_cast<std::size_t>(options.num_edges));
  for (auto const pair : detail::draw_distinct(static_cast<std::uint64_t>(num_pairs),
                                               static_cast<std::uint64_t>(options.num_edges), random)) {
    auto const code = static_cast<std::int64_t>(pair);
    edges.emplace_back(code / num_destinations, code % num_destinations);
  }
  return detail::coo_of_pairs<Index, Offset>(options.counts, edges);
}

}  // namespace edgewise::inline v0
