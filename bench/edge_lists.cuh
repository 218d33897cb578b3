// A benchmark graph's edges that are not grouped.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <edgewise/format/coo.hpp>

#include "harness/device_array.cuh"
#include "harness/device_graph.cuh"
#include "harness/random_value.hpp"

namespace edgewise::bench {

/// A graph's edges as pairs, in device memory: by destination, by source, and shuffled with ids. The graph must outlive
/// it.
class edge_lists {
public:
  edge_lists(device_graph const& graph, cudaStream_t stream)
      : graph_(&graph),
        destinations_(upload(rows_of(graph.host().by_destination), stream)),
        sources_(upload(rows_of(graph.host().by_source), stream)) {
    host_grouping const& g = graph.host().by_destination;
    std::vector<std::int32_t> const rows = rows_of(g);
    std::vector<std::int32_t> order(rows.size()), sources(rows.size()), destinations(rows.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<std::int32_t>(k);
    for (std::size_t k = order.size(); k > 1; --k) {  // Fisher & Yates
      double const uniform = (random_value(0x5b, k) + 1.0) / 2;
      std::swap(order[k - 1], order[static_cast<std::size_t>(uniform * static_cast<double>(k))]);
    }
    for (std::size_t k = 0; k < order.size(); ++k) {
      auto const position = static_cast<std::size_t>(order[k]);
      sources[k] = g.neighbors[position];
      destinations[k] = rows[position];
    }
    shuffled_sources_ = upload(sources, stream);
    shuffled_destinations_ = upload(destinations, stream);
    shuffled_ids_ = upload(order, stream);
  }

  std::int32_t const* destination_of_position() const { return destinations_.data(); }  // in the order of csr
  std::int32_t const* source_of_position() const { return sources_.data(); }            // in the order of csc
  coo_view<> by_destination() const { return view(graph_->csr().neighbors, destinations_.data(), nullptr); }
  coo_view<> shuffled() const {
    return view(shuffled_sources_.data(), shuffled_destinations_.data(), shuffled_ids_.data());
  }

private:
  static std::vector<std::int32_t> rows_of(host_grouping const& g) {
    std::vector<std::int32_t> rows(g.neighbors.size());
    for (std::int32_t row = 0; row < g.num_rows(); ++row) {
      std::fill(rows.begin() + g.offsets[row], rows.begin() + g.offsets[row + 1], row);
    }
    return rows;
  }
  coo_view<> view(std::int32_t const* sources, std::int32_t const* destinations, std::int32_t const* ids) const {
    return {.sources = sources,
            .destinations = destinations,
            .edge_ids = ids,
            .source_count = graph_->num_sources(),
            .destination_count = graph_->num_destinations(),
            .num_edges = graph_->num_edges()};
  }

  device_graph const* graph_;
  device_buffer<std::int32_t> destinations_;                                             // [E] in the order of csr
  device_buffer<std::int32_t> sources_;                                                  // [E] in the order of csc
  device_buffer<std::int32_t> shuffled_sources_, shuffled_destinations_, shuffled_ids_;  // [E]
};

}  // namespace edgewise::bench
