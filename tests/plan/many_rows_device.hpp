// A graph of many rows and edges with a hub, and the gradient of a parameter over it.
#pragma once

#include <cstdint>
#include <vector>

namespace edgewise::testing {

/// Every vertex receives edges from the `degree` after it; vertex 3 one from each hundredth besides. A warp takes a
/// row, so that blocks of parameters take more than one wave.
struct many_rows {
  static constexpr std::int32_t num_vertices = 20'000;
  static constexpr int degree = 45;
  static constexpr int channels = 128;

  many_rows() {
    auto const add = [this](std::int32_t source, std::int32_t destination) {
      sources.push_back(source % num_vertices);
      destinations.push_back(destination);
    };
    for (std::int32_t v = 0; v < num_vertices; ++v) {
      for (int k = 1; k <= degree; ++k) add(v + k, v);
      if (v % 100 == 0) add(v, 3);
    }
  }
  /// -2 to 2 without a period, of features and of adjoints: no row's messages add up to 0.
  static float value(std::int32_t row, int channel) {
    std::uint32_t const mixed =
        (static_cast<std::uint32_t>(row) * 128u + static_cast<std::uint32_t>(channel)) * 2654435761u;
    return static_cast<float>(static_cast<int>((mixed >> 13) % 5) - 2);
  }

  std::vector<std::int32_t> sources;
  std::vector<std::int32_t> destinations;
};

/// Of gather<sum>(param<a> * src<x>), by `channels`.
std::vector<float> parameter_gradient_on_device(many_rows const& rows);

}  // namespace edgewise::testing
