// Scatter over edges as they are, or group them first? An answer from bytes, before anything is converted.
#pragma once

#include <cstdint>
#include <limits>

#include <edgewise/core/resources.hpp>

namespace edgewise::inline v0 {

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
  double conversion = 0;  ///< to_csr, to_csc where there are gradients, and the plan: once
  double grouped = 0;     ///< a pass over graph{csr} or graph{csr, csc}
  double scattered = 0;   ///< a pass over graph{coo}
  double passes_to_pay = std::numeric_limits<double>::infinity();  ///< from which on grouping is less, if ever
  bool groups = false;                                             ///< convert first
};

namespace detail {

/// What work costs, in bytes at the rate at which a pass over grouped edges gathers rows.
struct edge_costs {
  double launch;         ///< while a small kernel is launched and drained
  double edge;           ///< of a traversal, besides what it reads and writes
  double plan;           ///< for grouped edges
  double grouping;       ///< one of both conversions
  double grouping_edge;  ///< each edge of a conversion
  double addition;       ///< to a row that other edges add to, over a load of it
  double far_addition;   ///< where the rows take more than half of the level-2 cache
};

/// For an H200, at about 8 TB/s out of L2 and memory together. An atomic addition costs more where the table of results
/// takes more than half of the L2: the rows that are read take the rest (docs/tuning.md, R49).
inline constexpr edge_costs device_costs{.launch = 16e6,
                                         .edge = 0,
                                         .plan = 64 * 16e6,
                                         .grouping = 18 * 16e6,
                                         .grouping_edge = 600,
                                         .addition = 3.5,
                                         .far_addition = 5};

/// For two cores of a server, at about 5 GB/s (docs/tuning.md, R50).
inline constexpr edge_costs host_costs{
    .launch = 0, .edge = 50, .plan = 0, .grouping = 0, .grouping_edge = 50, .addition = 12, .far_addition = 12};

/// A traversal of grouped edges: offsets and results once per row, a neighbor, an edge id and gathered rows once per
/// edge.
constexpr double grouped_traversal(edge_costs const& c, double rows, double edges, double gathered, double result) {
  return c.launch + rows * (4 + result) + edges * (c.edge + 8 + gathered);
}

/// A traversal of ungrouped edges: both endpoints, an id and the gathered rows once per edge, `additions` to rows, and
/// the table of results cleared before.
constexpr double scattered_traversal(edge_costs const& c, double rows, double edges, double gathered, double result,
                                     double additions, double l2_bytes) {
  double const addition = 2 * rows * result <= l2_bytes ? c.addition : c.far_addition;
  return 2 * c.launch + rows * result + edges * (c.edge + 12 + gathered) + additions * result * addition;
}

constexpr edge_recommendation recommend(edge_costs const& costs, edge_workload const& w) {
  auto const destinations = static_cast<double>(w.num_destinations);
  auto const sources = static_cast<double>(w.num_sources);
  auto const edges = static_cast<double>(w.num_edges);
  auto const read = static_cast<double>(w.source_bytes + w.edge_bytes);
  auto const adjoint = static_cast<double>(w.value_bytes + w.edge_bytes);
  auto const value = static_cast<double>(w.value_bytes);
  auto const source = static_cast<double>(w.source_bytes);
  auto const l2 = static_cast<double>(w.l2_bytes);
  double const grouping = costs.grouping + costs.grouping_edge * edges;
  // Runs of edges with one destination are added up before the atomic addition.
  double const additions = w.order == coo_order::by_destination ? destinations + edges / 16 : edges;
  edge_recommendation r;
  r.conversion = costs.plan + grouping;
  r.grouped = grouped_traversal(costs, destinations, edges, read, value);
  r.scattered = scattered_traversal(costs, destinations, edges, read, value, additions, l2);
  if (w.has_source_gradients) {
    r.conversion += grouping;
    r.grouped += grouped_traversal(costs, sources, edges, adjoint, source);
    r.scattered += scattered_traversal(costs, sources, edges, adjoint, source, edges, l2);
  }
  if (r.scattered > r.grouped) r.passes_to_pay = r.conversion / (r.scattered - r.grouped);
  r.groups = w.passes >= r.passes_to_pay;
  return r;
}

}  // namespace detail

/// Whether to convert to csr (and csc) or to run over graph{coo} with `edge_balanced`, where both compute the program
/// (sum, max, min and softmax sums): fuseGNN's question (ICCAD 2020, section 6.3). A model of bytes: what each way
/// moves, with atomic additions, the conversion and launches at their measured cost. It knows nothing of a graph's
/// locality or skew: sums of edges of 64 channels in arbitrary order were told right within a factor of two of the
/// break-even on those graphs, those in order of their destinations roughly. Softmax and extrema, which take more
/// traversals or wider words when scattered, are counted as sums: they pay for the grouping sooner. Where results must
/// be bitwise reproducible, or edges stay, group.
constexpr edge_recommendation recommend(edge_workload const& w) { return detail::recommend(detail::device_costs, w); }
/// The answer for the machine of `exec`: on a CPU the first pass pays for the grouping, or the second where rows are
/// single numbers.
constexpr edge_recommendation recommend(cuda const&, edge_workload const& w) { return recommend(w); }
constexpr edge_recommendation recommend(cpu const&, edge_workload const& w) {
  return detail::recommend(detail::host_costs, w);
}

}  // namespace edgewise::inline v0
