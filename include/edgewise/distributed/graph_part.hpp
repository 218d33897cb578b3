// What one rank has of a graph: the rows of its destinations, and which sources of other ranks they read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <edgewise/core/memory.hpp>
#include <edgewise/format/csr.hpp>

namespace edgewise::inline v0 {

/// The part of a graph that a rank owns, in host memory, with vertices and edges numbered from 0 in the part. Rows that
/// read sources of this rank alone, the interior, come first, unless they have less than a sixteenth of the edges and
/// are left to the boundary, which is behind them. In each of the two the rows ascend by their number in the whole
/// graph, and edges of a row keep their order. Where sources and destinations are the same vertices they have the same
/// numbers in the part. Edges are numbered row by row: those from sources of this rank, then those from others'.
/// Operands of a part have its rows: row v of an operand of destinations is that of vertex `destinations[v]`, and row e
/// of one of edges that of edge `edges[e]`. Ids of the whole graph are 64-bit.
template <class Index = std::int32_t, class Offset = std::int32_t>
struct graph_part {
  using index_type = Index;
  using offset_type = Offset;

  int rank = 0;
  int num_ranks = 1;
  vertex_counts whole;  ///< of the whole graph
  std::int64_t whole_edges = 0;
  bool shares_vertices = true;             ///< are sources and destinations the same vertices?
  std::uint64_t owners_hash = 0;           ///< `ownership::hash`, which ranks compare
  host_buffer<std::int64_t> destinations;  ///< ids in the whole graph
  host_buffer<std::int64_t> sources;       ///< likewise; empty where vertices are shared
  host_buffer<std::int64_t> edges;         ///< likewise
  Offset num_own_edges = 0;                ///< edges from sources of this rank, the first of `edges`

  csr<Index, Offset> interior;  ///< neighbors are sources of the part
  /// Neighbors are rows of a table of what it reads, rank by rank. Ids of edges count from the interior's last on.
  csr<Index, Offset> boundary;
  /// What the boundary reads of each rank: of rank r the vertices at `table[k]` among those that r owns, k from
  /// table_first[r] to table_first[r + 1], ascending.
  host_buffer<Index> table;
  std::vector<std::int64_t> table_first;
  host_buffer<Index> source_at;  ///< the number in the part of the k-th source that this rank owns

  Index num_destinations() const { return static_cast<Index>(destinations.size()); }
  Index num_sources() const { return static_cast<Index>(source_at.size()); }
  Offset num_edges() const { return static_cast<Offset>(edges.size()); }
  /// Ids of the sources in the whole graph.
  host_buffer<std::int64_t> const& source_ids() const { return shares_vertices ? destinations : sources; }
  /// Rows that the boundary reads of other ranks.
  std::int64_t num_halo_rows() const {
    auto const own = static_cast<std::size_t>(rank);
    return table_first.back() - (table_first[own + 1] - table_first[own]);
  }
};

/// The part of a graph whose edges have types: `make_part` of `graph{csr, types}` or of a `typed_edge_slice`.
template <class Index = std::int32_t, class Offset = std::int32_t>
struct typed_graph_part : graph_part<Index, Offset> {
  host_buffer<Index> edge_types;  ///< of each edge of the part, as `edges` are numbered
  Index num_types = 0;            ///< of the whole graph
};

namespace detail {

template <class Part>
inline constexpr bool has_edge_types = requires(Part const& part) {
  part.edge_types;
};

/// The interior is computed by itself where it has this part of the edges: less hides no exchange that counts.
inline constexpr std::int64_t least_interior = 16;

}  // namespace detail
}  // namespace edgewise::inline v0
