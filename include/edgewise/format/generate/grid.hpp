// Road-like graphs: low degrees, long distances.
#pragma once

#include <edgewise/format/generate/edge_set.hpp>

namespace edgewise::inline v0 {

/// `kept` is the probability that a link of the full grid is there.
struct grid_options {
  std::int64_t width = 0;
  std::int64_t height = 0;
  double kept = 1;
  std::uint64_t seed = 0;
};

/// A grid of width x height crossings, vertex y * width + x at (x, y), linked to its neighbors right, left, up and down
/// as far as links are kept. Links are listed in both directions, sorted by (source, destination); no self loops.
/// Throws `invalid_argument` for negative extents, more than 2^31 - 1 vertices or a probability that is none.
template <class Index = std::int32_t, class Offset = std::int32_t>
coo<Index, Offset> generate_grid(grid_options const& options) {
  detail::require_vertex_count("generate_grid", "width", options.width);
  detail::require_vertex_count("generate_grid", "height", options.height);
  detail::require_vertex_count("generate_grid", "width * height", options.width * options.height);
  detail::require_probability("generate_grid", "kept", options.kept);
  splitmix64 random(options.seed);
  std::vector<detail::endpoint_pair> links;
  auto const link = [&](std::int64_t u, std::int64_t v) {
    if (random.uniform() < options.kept) links.emplace_back(u, v);
  };
  for (std::int64_t y = 0; y < options.height; ++y) {
    for (std::int64_t x = 0; x < options.width; ++x) {
      std::int64_t const v = y * options.width + x;
      if (x + 1 < options.width) link(v, v + 1);
      if (y + 1 < options.height) link(v, v + options.width);
    }
  }
  return detail::coo_of_undirected_pairs<Index, Offset>(options.width * options.height, std::move(links));
}

}  // namespace edgewise::inline v0
