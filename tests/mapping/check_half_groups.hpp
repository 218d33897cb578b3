// Groups of half the threads against the reference, and against those of all.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "check_mapping.hpp"
#include "plan/device_run.hpp"

namespace edgewise::testing {

/// Checks a case against the reference; outputs have the bits of groups of all threads where neither channels are
/// summed nor a softmax is taken, whose sums are rounded block by block of edges.
template <class Case, class With, bool RoundsOtherwise = false>
void check_half_groups(std::span<width const> widths) {
  using Halved = mapped<Case, With>;
  random_stream random(std::string(Case::name) + ", half the threads");
  std::vector<test_graph> graphs{hub_alone(), random_skewed(), no_edges(300)};
  if (!RoundsOtherwise) graphs.push_back(many_edges());  // the reference of a softmax takes its time
  for (auto const& graph : graphs) {
    for (width const w : widths) {
      if (!is_sampled()) continue;
      INFO(graph.name << ", " << w.heads << " x " << w.channels);
      auto const request = draw_request<Case, float>(graph, extents_of<Case>(w), random);
      check_whole_request<Halved>(run_on_device<Halved, float>, request);
      if constexpr (!RoundsOtherwise) {
        auto const whole = run_on_device<mapped<Case, as_stored>, float>(request).out;
        CHECK(same_bits(run_on_device<Halved, float>(request).out, whole));
      }
    }
  }
}

}  // namespace edgewise::testing
