// Scatter over edges as they are, or group them first? An answer from bytes, before anything is converted.
#pragma once

#include <cstdint>
#include <limits>

namespace edgewise {

/// In which order edges lie that are not grouped.
enum class coo_order { arbitrary, by_destination };

/// A gather over edges that are not grouped yet, and how often it will run with the same edges. Bytes are those of
/// rows: of the operands of sources and of edges that a message reads, and of its value.
struct edge_workload {
  std::int64_t num_destinations = 0;
  std::int64_t num_sources = 0;
  std::int64_t num_edges = 0;
  std::int64_t source_bytes = 0;
  std::int64_t edge_bytes = 0;
  std::int64_t value_bytes = 0;
  bool has_source_gradients = false;  ///< each pass is followed by its backward pass
  coo_order order = coo_order::arbitrary;
  double passes = 1;  ///< with the same edges: 1 for a graph that changes at each step
  std::int64_t l2_bytes = 60 << 20;
};

/// What `recommend` expects, in bytes, and what follows.
struct edge_recommendation {
  double conversion = 0;  ///< to_csr, to_csc where there are gradients, and the schedule: once
  double grouped = 0;     ///< a pass over graph{csr} or graph{csr, csc}
  double scattered = 0;   ///< a pass over graph{coo}
  double passes_to_pay = std::numeric_limits<double>::infinity();  ///< from which on grouping is less, if ever
  bool groups = false;                                             ///< convert first
};

namespace detail {

// All numbers are bytes at the rate at which a pass over grouped edges gathers rows, about 8 TB/s on an H200 out of L2
// and memory together. H200 2026-11, bench_conversion on five graphs of 0.01 to 30 M edges, weighted sum, 16 to 256
// lanes.

/// While a small kernel is launched and drained, 2 us.
inline constexpr double launch_bytes = 16e6;

/// A traversal of grouped edges: offsets and results once a row, a neighbor, an edge id and gathered rows once an edge.
constexpr double grouped_traversal(double rows, double edges, double gathered, double result) {
  return launch_bytes + rows * (4 + result) + edges * (8 + gathered);
}

/// An atomic addition of a row over a load of it: 1.9 to 4.4 where the table of results takes less than half of the L2
/// (the rows that are read take the rest), 2.4 to 8.4 where not.
constexpr double atomic_cost(double table_bytes, double l2_bytes) { return 2 * table_bytes <= l2_bytes ? 3.5 : 5; }

/// A traversal of ungrouped edges: both endpoints, an id and the gathered rows once an edge, `additions` atomic ones,
/// and the table of results cleared before.
constexpr double scattered_traversal(double rows, double edges, double gathered, double result, double additions,
                                     double l2_bytes) {
  return 2 * launch_bytes + rows * result + edges * (12 + gathered) +
         additions * result * atomic_cost(rows * result, l2_bytes);
}

/// A sort by row, moves of neighbors and ids to places anywhere in memory, offsets, and the cuts of long rows: 36 us
/// and 68 to 78 ps an edge, whatever the number of rows.
constexpr double conversion_of(double edges) { return 18 * launch_bytes + 600 * edges; }

}  // namespace detail

/// Whether to convert to csr (and csc) or to run over graph{coo} with `edge_balanced`, where both compute the program
/// (sum, max, min and softmax sums): fuseGNN's question (ICCAD 2020, section 6.3). A model of bytes: what each way
/// moves, with atomic additions, the conversion and launches at their measured cost. It knows nothing of a graph's
/// locality or skew: edges in arbitrary order are told right within a factor of two of the break-even, those in order
/// of their destinations roughly. Where results must be bitwise reproducible, or edges stay, group.
constexpr edge_recommendation recommend(edge_workload const& w) {
  auto const destinations = static_cast<double>(w.num_destinations);
  auto const sources = static_cast<double>(w.num_sources);
  auto const edges = static_cast<double>(w.num_edges);
  auto const read = static_cast<double>(w.source_bytes + w.edge_bytes);
  auto const adjoint = static_cast<double>(w.value_bytes + w.edge_bytes);
  auto const value = static_cast<double>(w.value_bytes);
  auto const source = static_cast<double>(w.source_bytes);
  auto const l2 = static_cast<double>(w.l2_bytes);
  // Runs of edges with one destination are added up before the atomic addition.
  double const additions = w.order == coo_order::by_destination ? destinations + edges / 16 : edges;
  edge_recommendation r;
  r.conversion = detail::conversion_of(edges);
  r.grouped = detail::grouped_traversal(destinations, edges, read, value);
  r.scattered = detail::scattered_traversal(destinations, edges, read, value, additions, l2);
  if (w.has_source_gradients) {
    r.conversion += detail::conversion_of(edges);
    r.grouped += detail::grouped_traversal(sources, edges, adjoint, source);
    r.scattered += detail::scattered_traversal(sources, edges, adjoint, source, edges, l2);
  }
  if (r.scattered > r.grouped) r.passes_to_pay = r.conversion / (r.scattered - r.grouped);
  r.groups = w.passes >= r.passes_to_pay;
  return r;
}

}  // namespace edgewise
