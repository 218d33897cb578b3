// The least that a plan's passes can cost: bytes that must move and operations that must run, whatever the schedule.
#pragma once

#include <cstdint>
#include <vector>

namespace edgewise::inline v0 {

/// What one traversal of edges, or one launch over vertices, reads and writes at least. Every index is read once, every
/// row of its own vertex and of its edge once; rows of neighbors, once per edge if no cache holds them (`gather_bytes`)
/// and once per vertex if each is found again (`compulsory_bytes`). What a schedule adds, such as states of cut rows,
/// is not counted. Flops are those of the model in cost/count_flops.hpp.
struct traversal_cost {
  char const* name = "";
  std::int64_t rows = 0;       ///< vertices that edges are grouped by
  std::int64_t neighbors = 0;  ///< vertices at the other end
  std::int64_t edges = 0;      ///< 0 where no edge is walked
  double index_bytes = 0;      ///< offsets, neighbors and edge ids as far as they are read, of all edges
  double parameter_bytes = 0;  ///< of all rows
  double row_bytes = 0;        ///< of each row
  double edge_bytes = 0;       ///< of each edge: its own operands and results
  double gathered_bytes = 0;   ///< of each edge's neighbor
  double shared_bytes = 0;     ///< of `row_bytes`, those of tensors that are gathered too
  double row_flops = 0;
  double edge_flops = 0;

  double flops() const { return as_double(rows) * row_flops + as_double(edges) * edge_flops; }
  /// All but the gathered rows.
  double streamed_bytes() const {
    return index_bytes + parameter_bytes + as_double(rows) * row_bytes + as_double(edges) * edge_bytes;
  }
  /// Each gathered row once per edge.
  double gather_bytes() const { return streamed_bytes() + as_double(edges) * gathered_bytes; }
  /// Each gathered row once per vertex. Vertices without edges are counted as far as there are edges for them.
  double compulsory_bytes() const {
    std::int64_t const reached = neighbors < edges ? neighbors : edges;
    std::int64_t const shared = rows < reached ? rows : reached;
    return streamed_bytes() + as_double(reached) * gathered_bytes - as_double(shared) * shared_bytes;
  }
  /// The table that rows are gathered from.
  double gathered_table_bytes() const { return as_double(neighbors) * gathered_bytes; }

private:
  static double as_double(std::int64_t n) { return static_cast<double>(n); }
};

/// A pass of a plan, launch by launch.
struct plan_cost {
  std::vector<traversal_cost> traversals;

  double flops() const { return sum(&traversal_cost::flops); }
  double gather_bytes() const { return sum(&traversal_cost::gather_bytes); }
  double compulsory_bytes() const { return sum(&traversal_cost::compulsory_bytes); }

private:
  double sum(double (traversal_cost::*part)() const) const {
    double total = 0;
    for (traversal_cost const& t : traversals) total += (t.*part)();
    return total;
  }
};

}  // namespace edgewise::inline v0
