// Scatter over edges as they are, or group them first? An answer from bytes, before anything is converted.
#pragma once

#include <cstdint>
#include <limits>

namespace edgewise {

/// In which order edges lie that are not grouped.
enum class edge_order { arbitrary, by_destination };

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
  edge_order order = edge_order::arbitrary;
  double passes = 1;  ///< with the same edges: 1 for a graph that changes at each step
  std::int64_t l2_bytes = 50 << 20;
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

/// Bytes that memory moves while a small kernel is launched and drained, 2 us at 4 TB/s: small graphs pay for launches.
inline constexpr double launch_bytes = 8e6;

/// A traversal of grouped edges: offsets and results once a row, a neighbor, an edge id and gathered rows once an edge.
constexpr double grouped_traversal(double rows, double edges, double gathered, double result) {
  return launch_bytes + rows * (4 + result) + edges * (8 + gathered);
}

/// An atomic addition reads and writes its row in L2, or beyond it where the table is larger.
/// H200 2026-11, weighted sum, shuffled edges, from the times of h200-scatter-2026-11.json: 1.5 times the row's bytes
/// on arxiv (32 and 128 lanes: 22 and 87 MB), 4.7 and 5.7 times on products (77 and 307 MB).
constexpr double atomic_cost(double table_bytes, double l2_bytes) { return table_bytes <= 2 * l2_bytes ? 1.5 : 5; }

/// A traversal of ungrouped edges: both endpoints, an id and the gathered rows once an edge, `additions` atomic ones,
/// and the table of results cleared before.
constexpr double scattered_traversal(double rows, double edges, double gathered, double result, double additions,
                                     double l2_bytes) {
  return 2 * launch_bytes + rows * result + edges * (12 + gathered) +
         additions * result * atomic_cost(rows * result, l2_bytes);
}

/// Sorting pairs of 8 bytes by 8 bits a time reads and writes them each time; then neighbors and ids are moved
/// (format/convert.cuh).
constexpr double conversion_of(double rows, double edges) {
  int bits = 1;
  while (bits < 62 && static_cast<double>(std::int64_t{1} << bits) <= rows) ++bits;
  int const rounds = (bits + 7) / 8;
  return (5 + rounds) * launch_bytes + edges * (4 + 4 + 16 * rounds + 20) + rows * 12;
}

}  // namespace detail

/// Whether to convert to csr (and csc) or to run over graph{coo} with `edge_balanced`, where both compute the program
/// (sum, max, min and softmax sums): fuseGNN's question (ICCAD 2020, section 6.3). A model of bytes: what each way
/// moves, atomic additions at their measured cost, and 8 MB a launch. It knows nothing of the graph's locality or skew;
/// expect the break-even to be right within a factor of two. Where results must be bitwise reproducible, or edges stay,
/// group.
constexpr edge_recommendation recommend(edge_workload const& w) {
  auto const destinations = static_cast<double>(w.num_destinations);
  auto const sources = static_cast<double>(w.num_sources);
  auto const edges = static_cast<double>(w.num_edges);
  auto const read = static_cast<double>(w.source_bytes + w.edge_bytes);
  auto const adjoint = static_cast<double>(w.value_bytes + w.edge_bytes);
  auto const value = static_cast<double>(w.value_bytes);
  auto const source = static_cast<double>(w.source_bytes);
  auto const l2 = static_cast<double>(w.l2_bytes);
  // Runs of edges with one destination are added up before the atomic addition, 32 edges at most.
  double const additions = w.order == edge_order::by_destination ? destinations + edges / 32 : edges;
  edge_recommendation r;
  r.conversion = detail::conversion_of(destinations, edges);
  r.grouped = detail::grouped_traversal(destinations, edges, read, value);
  r.scattered = detail::scattered_traversal(destinations, edges, read, value, additions, l2);
  if (w.has_source_gradients) {
    r.conversion += detail::conversion_of(sources, edges);
    r.grouped += detail::grouped_traversal(sources, edges, adjoint, source);
    r.scattered += detail::scattered_traversal(sources, edges, adjoint, source, edges, l2);
  }
  if (r.scattered > r.grouped) r.passes_to_pay = r.conversion / (r.scattered - r.grouped);
  r.groups = w.passes >= r.passes_to_pay;
  return r;
}

}  // namespace edgewise
