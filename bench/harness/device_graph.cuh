// A benchmark graph in device memory, seen as the library's views.
#pragma once

#include <cstdint>

#include <edgewise/format/csc.hpp>
#include <edgewise/format/csr.hpp>

#include "device_array.cuh"
#include "host_graph.hpp"

namespace edgewise::bench {

/// Both groupings of a host graph, uploaded; the host graph must outlive it, checks read it.
class device_graph {
public:
  device_graph(host_graph const& host, cudaStream_t stream)
      : host_(&host),
        destination_offsets_(upload(host.by_destination.offsets, stream)),
        sources_(upload(host.by_destination.neighbors, stream)),
        source_offsets_(upload(host.by_source.offsets, stream)),
        destinations_(upload(host.by_source.neighbors, stream)),
        source_edge_ids_(upload(host.by_source.edge_ids, stream)) {}

  host_graph const& host() const { return *host_; }
  std::int32_t num_destinations() const { return host_->by_destination.num_rows(); }
  std::int32_t num_sources() const { return host_->by_destination.num_neighbors; }
  std::int32_t num_edges() const { return static_cast<std::int32_t>(host_->by_destination.num_edges()); }

  csr_view<> csr() const {
    return {{.offsets = destination_offsets_.data(),
             .neighbors = sources_.data(),
             .edge_ids = nullptr,
             .num_rows = num_destinations(),
             .num_neighbors = num_sources(),
             .num_edges = num_edges()}};
  }
  csc_view<> csc() const {
    return {{.offsets = source_offsets_.data(),
             .neighbors = destinations_.data(),
             .edge_ids = source_edge_ids_.data(),
             .num_rows = num_sources(),
             .num_neighbors = num_destinations(),
             .num_edges = num_edges()}};
  }

private:
  host_graph const* host_;
  device_buffer<std::int32_t> destination_offsets_;  // [V + 1]
  device_buffer<std::int32_t> sources_;              // [E]
  device_buffer<std::int32_t> source_offsets_;       // [S + 1]
  device_buffer<std::int32_t> destinations_;         // [E]
  device_buffer<std::int32_t> source_edge_ids_;      // [E]
};

}  // namespace edgewise::bench
