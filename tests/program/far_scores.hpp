// Scores that lie far from 0 and near to one another, as the finite masks of padded vertices do.
#pragma once

#include <cmath>
#include <vector>

#include "support/random.hpp"
#include "support/test_graph.hpp"

namespace edgewise::testing {

/// For each destination the scores of all its edges are one number, or one of the next three floats. Their differences
/// are exact, so that weights are as exact as for scores near 0. Shape: scores [edges, heads].
inline void draw_far_scores(std::vector<float>& scores, test_graph const& graph, int heads, random_stream& random) {
  float const bases[] = {-1e9f, 1e6f, -1e7f, -3.4e38f, 1e30f, -12345.0f, 0x1p24f};
  std::vector<float> base_of(static_cast<std::size_t>(graph.num_destinations));
  for (float& base : base_of) base = bases[random.below(7)];
  for (int edge = 0; edge < graph.num_edges(); ++edge) {
    for (int head = 0; head < heads; ++head) {
      float score = base_of[static_cast<std::size_t>(graph.destinations[edge])];
      for (int k = random.below(8) - 4; k > 0; --k) score = std::nextafter(score, 0.0f);
      scores.at(static_cast<std::size_t>(edge * heads + head)) = score;
    }
  }
}

}  // namespace edgewise::testing
