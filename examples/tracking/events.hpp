// Simulated events in a sector of a barrel of eight layers: hits of helices and of noise, and candidate edges.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracking {

/// Numbers in [low, high), the same everywhere.
struct uniform {
  std::uint32_t state;
  float operator()(double low, double high) {
    state = state * 1664525u + 1013904223u;
    return static_cast<float>(low + (high - low) * state / 4294967296.0);
  }
};

struct event {
  std::vector<float> hits;               // r, phi, z [V, 3]; lengths in meters
  std::vector<std::int64_t> edge_index;  // inner hits, then outer hits [2, E]
  std::vector<char> is_true;             // 1 where both hits are of one track, else 0 [E]

  std::int64_t num_hits() const { return static_cast<std::int64_t>(hits.size()) / 3; }
  std::int64_t num_edges() const { return static_cast<std::int64_t>(is_true.size()); }
};

/// Edges lead from each layer to the next, between hits that are close in phi. A tenth of the hits is noise.
inline event make_event(uniform draw) {
  constexpr int layers = 8, tracks = 36, noise = 4;
  event made;
  for (int track = 0; track < tracks + noise; ++track) {
    float phi = 0, curvature = 0, z = 0, slope = 0;
    for (int layer = 1; layer <= layers; ++layer) {
      if (layer == 1 || track >= tracks) {  // noise: in each layer a hit of another helix
        phi = draw(-0.8, 0.8), curvature = draw(-0.4, 0.4), z = draw(-0.05, 0.05), slope = draw(-1, 1);
      }
      float const r = static_cast<float>(layer) / layers, bend = std::asin(curvature * r);
      made.hits.insert(made.hits.end(), {r, phi - bend + draw(-0.002, 0.002), z + slope * r + draw(-0.005, 0.005)});
    }
  }
  auto const phi_of = [&](std::int64_t hit) { return made.hits[static_cast<std::size_t>(3 * hit + 1)]; };
  std::vector<std::int64_t> outer_hits;
  for (std::int64_t inner = 0; inner < made.num_hits(); ++inner) {
    for (std::int64_t outer = 0; outer < made.num_hits(); ++outer) {
      if (outer % layers != inner % layers + 1 || std::abs(phi_of(outer) - phi_of(inner)) > 0.1f) continue;
      made.edge_index.push_back(inner);
      outer_hits.push_back(outer);
      made.is_true.push_back(outer == inner + 1 && outer < tracks * layers);
    }
  }
  made.edge_index.insert(made.edge_index.end(), outer_hits.begin(), outer_hits.end());
  return made;
}

}  // namespace tracking
