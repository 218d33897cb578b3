// Graphs with skewed degrees.
#pragma once

#include <edgewise/format/generate/edge_set.hpp>

namespace edgewise::inline v0 {

/// 2^scale vertices. A pair falls into the quadrants (low, low), (low, high), (high, low), (high, high) of
/// (source, destination) with probabilities a, b, c and 1 - a - b - c; the defaults are Graph500's.
struct rmat_options {
  int scale = 0;
  std::int64_t num_edges = 0;
  double a = 0.57;
  double b = 0.19;
  double c = 0.19;
  std::uint64_t seed = 0;
};

/// A directed graph whose degrees follow a power law: each edge is drawn by descending into quadrants `scale` times.
/// Multi-edges and self loops occur; edges come in the order of drawing; low ids are the hubs.
/// Throws `invalid_argument` for probabilities that are none. Source: Chakrabarti, Zhan & Faloutsos 2004,
/// doi:10.1137/1.9781611972740.43.
template <class Index = std::int32_t, class Offset = std::int32_t>
coo<Index, Offset> generate_rmat(rmat_options const& options) {
  if (options.scale < 0 || options.scale > 30) {
    throw invalid_argument(detail::text("generate_rmat: scale = ", options.scale, ", must be in [0, 30]"));
  }
  if (options.num_edges < 0) {
    throw invalid_argument(detail::text("generate_rmat: num_edges = ", options.num_edges, ", must not be negative"));
  }
  double const low_low = options.a;
  double const low_any = options.a + options.b;
  double const but_high_high = low_any + options.c;
  detail::require_probability("generate_rmat", "a", options.a);
  detail::require_probability("generate_rmat", "b", options.b);
  detail::require_probability("generate_rmat", "c", options.c);
  detail::require_probability("generate_rmat", "a + b + c", but_high_high);

  splitmix64 random(options.seed);
  std::vector<detail::endpoint_pair> edges(static_cast<std::size_t>(options.num_edges));
  for (auto& [source, destination] : edges) {
    source = destination = 0;
    for (int level = 0; level < options.scale; ++level) {
      double const draw = random.uniform();
      bool const source_high = draw >= low_any;
      bool const destination_high = source_high ? draw >= but_high_high : draw >= low_low;
      source = 2 * source + source_high;
      destination = 2 * destination + destination_high;
    }
  }
  return detail::coo_of_pairs<Index, Offset>(vertices(std::int64_t{1} << options.scale), edges);
}

}  // namespace edgewise::inline v0
