// A test graph in device memory.
#pragma once

#include <edgewise/format/coo.hpp>
#include <edgewise/format/csc.hpp>
#include <edgewise/format/csr.hpp>

#include "device.cuh"
#include "test_graph.hpp"

namespace edgewise::testing {

/// Device copies of all arrays of a test graph, with offsets and ids of type Offset, and views of them.
template <class Offset = int>
class device_graph {
public:
  explicit device_graph(test_graph const& graph)
      : num_sources_(graph.num_sources),
        num_destinations_(graph.num_destinations),
        num_edges_(graph.num_edges()),
        sources_(graph.sources),
        destinations_(graph.destinations),
        by_destination_(graph.by_destination.with_offsets<Offset>()),
        by_source_(graph.by_source.with_offsets<Offset>()) {}

  /// Views of this graph's arrays, which must outlive them. Ids are null where they are the positions.
  csr_view<int, Offset> csr() const {
    return {{by_destination_.offsets.data(), by_destination_.neighbors.data(), by_destination_.ids(), num_destinations_,
             num_sources_, num_edges_}};
  }
  csc_view<int, Offset> csc() const {
    return {{by_source_.offsets.data(), by_source_.neighbors.data(), by_source_.ids(), num_sources_, num_destinations_,
             num_edges_}};
  }
  coo_view<int, Offset> coo() const {
    return {sources_.data(), destinations_.data(), nullptr, num_sources_, num_destinations_, num_edges_};
  }

private:
  struct device_adjacency {
    explicit device_adjacency(adjacency<Offset> const& rows)
        : offsets(rows.offsets),
          neighbors(rows.neighbors),
          edge_ids(rows.edge_ids),
          ids_are_positions(rows.ids_are_positions()) {}

    Offset const* ids() const { return ids_are_positions ? nullptr : edge_ids.data(); }

    device_array<Offset> offsets;
    device_array<int> neighbors;
    device_array<Offset> edge_ids;
    bool ids_are_positions;
  };

  int num_sources_;
  int num_destinations_;
  Offset num_edges_;
  device_array<int> sources_;
  device_array<int> destinations_;
  device_adjacency by_destination_;
  device_adjacency by_source_;
};

}  // namespace edgewise::testing
