// Judges cases over tiles.
#pragma once

#include <string>
#include <vector>

#include "plan/check_case.hpp"
#include "tensor_core_cases.hpp"

namespace edgewise::testing {

/// A case over tiles: whole windows, windows in pieces, and windows left to their rows. `run(request, options)`.
template <class Case, class Run>
void check_over_tiles(Run const& run, std::vector<width> const& widths,
                      std::vector<test_graph> const& graphs = tiled_graphs()) {
  random_stream random(std::string(Case::name) + ", over tiles");
  int number = 0;
  for (auto const& graph : graphs) {
    if (!fits<Case>(graph)) continue;
    for (width const w : widths) {
      // Of the many edges' windows each has 4 tiles and a reuse of 2.
      tile_options const options[] = {{}, {.max_tiles = 1}, {.least_reuse = 1.7}, {.least_reuse = 100}};
      auto request = draw_request<Case, float>(graph, extents_of<Case>(w), random);
      if constexpr (requires { Case::has_wide_offsets; }) request.wide_offsets = Case::has_wide_offsets && number % 2;
      auto const& chosen = options[number++ % 4];
      INFO("least_reuse " << chosen.least_reuse << ", max_tiles " << chosen.max_tiles);
      check_request<Case, float>([&](auto const& asked) { return run(asked, chosen); }, request);
    }
  }
}

}  // namespace edgewise::testing
