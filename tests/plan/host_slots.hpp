// Slots that a plan on a CPU takes for the pieces of long rows.
#pragma once

#include <algorithm>
#include <cstddef>

#include "support/test_graph.hpp"

namespace edgewise::testing {

/// At most: two for each 4096 rows and edges. None are taken where no row has more edges than that.
inline std::size_t most_host_slots(test_graph const& graph) {
  auto const rows = static_cast<std::size_t>(std::max(graph.num_destinations, graph.num_sources));
  return 2 * ((rows + static_cast<std::size_t>(graph.num_edges())) / 4096 + 1);
}

}  // namespace edgewise::testing
