// What a plan on a CPU takes for its schedules: slots for the pieces of long rows, and tables of shares.
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

/// Bytes at most of both groupings' tables: the first row of each share of 256 rows and edges, or more, and whether it
/// has a row that is cut. They are the schedules', not the workspace's.
inline std::size_t most_host_tables(test_graph const& graph) {
  auto const rows = static_cast<std::size_t>(std::max(graph.num_destinations, graph.num_sources));
  return 2 * 5 * ((rows + static_cast<std::size_t>(graph.num_edges())) / 256 + 2);
}

}  // namespace edgewise::testing
