// A benchmark graph in host memory and its reader.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace edgewise::bench {

/// Compressed rows: the neighbors and edge ids of row r are at positions [offsets[r], offsets[r + 1]).
/// Shapes: offsets [num_rows + 1], neighbors [E], edge_ids [E] or empty when the id is the position.
struct host_grouping {
  std::vector<std::int32_t> offsets;
  std::vector<std::int32_t> neighbors;
  std::vector<std::int32_t> edge_ids;
  std::int32_t num_neighbors = 0;

  std::int32_t num_rows() const { return static_cast<std::int32_t>(offsets.size()) - 1; }
  std::int64_t num_edges() const { return static_cast<std::int64_t>(neighbors.size()); }
  std::int32_t edge_id(std::int32_t position) const {
    return edge_ids.empty() ? position : edge_ids[static_cast<std::size_t>(position)];
  }
};

/// The edges by destination (edge id = position) and the same edges by source.
struct host_graph {
  std::string name;
  host_grouping by_destination;
  host_grouping by_source;
};

/// The same edges grouped by the other endpoint, edge ids kept, rows in ascending order of the old row.
host_grouping transposed(host_grouping const& grouping);

/// Reads a graph from the first directory that has it, and groups it both ways: DIR/NAME.indptr.npy,
/// DIR/NAME.indices.npy and, where sources are other vertices than destinations, their number in
/// DIR/NAME.num_sources.npy (int32, one-dimensional; bench/graphs/generate.py writes them), or DIR/NAME/edge_index.npy
/// (int32 [2, E], sources and destinations, as `read_npy_folder` reads it; edges are renumbered by destination).
/// NAME@degree, NAME@rcm and, where METIS is linked, NAME@metis (64 parts) and NAME@metis128 are the same graph with
/// its vertices in another order (edgewise/format/reorder.hpp). Throws `io_error` when no directory has it or a file is
/// of another type, `invalid_argument` when the arrays are no graph or there is no such order.
host_graph read_graph(std::vector<std::string> const& directories, std::string const& name);

}  // namespace edgewise::bench
