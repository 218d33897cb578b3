// A benchmark graph in host memory as the library sees it.
#pragma once

#include <cstdint>

#include <edgewise/edgewise.hpp>

#include "host_graph.hpp"

namespace edgewise::bench {

/// View: csr_view<> or csc_view<>. The grouping must outlive it.
template <class View>
View view_of(host_grouping const& g) {
  return {{.offsets = g.offsets.data(),
           .neighbors = g.neighbors.data(),
           .edge_ids = g.edge_ids.empty() ? nullptr : g.edge_ids.data(),
           .num_rows = g.num_rows(),
           .num_neighbors = g.num_neighbors,
           .num_edges = static_cast<std::int32_t>(g.num_edges())}};
}

}  // namespace edgewise::bench
