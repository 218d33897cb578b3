// What one rank has of a graph: the rows of its destinations, and which sources of other ranks they read.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <edgewise/core/cpu_threads.hpp>
#include <edgewise/core/error.hpp>
#include <edgewise/core/memory.hpp>
#include <edgewise/core/resources.hpp>
#include <edgewise/distributed/communicator.hpp>
#include <edgewise/distributed/exchange_lists.hpp>
#include <edgewise/distributed/ownership.hpp>
#include <edgewise/distributed/partition.hpp>
#include <edgewise/format/concept.hpp>
#include <edgewise/format/csr.hpp>
#include <edgewise/format/for_each_edge.hpp>
#include <edgewise/format/graph.hpp>

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

namespace detail {

/// An edge of a rank: the position of its destination among the rank's, where its source is, and its id.
struct part_edge {
  std::int32_t row = 0;
  std::int32_t owner = 0;
  std::int32_t position = 0;
  std::int64_t id = 0;
};

/// The interior is computed by itself where it has this part of the edges: less hides no exchange that counts.
inline constexpr std::int64_t least_interior = 16;

inline void require_rank(ownership const& owners, int rank) {
  if (rank >= 0 && rank < owners.num_ranks()) return;
  throw invalid_argument(text("make_part: is of rank ", rank, ", there are ", owners.num_ranks(), " ranks"));
}

template <class Index, class Offset>
class part_builder {
public:
  part_builder(cpu const& exec, ownership const& owners, int rank, std::int64_t whole_edges,
               std::vector<part_edge> const& edges)
      : exec_(exec), owners_(owners), edges_(edges) {
    require_rank(owners, rank);
    made_.rank = rank;
    made_.num_ranks = owners.num_ranks();
    made_.whole = owners.counts();
    made_.whole_edges = whole_edges;
    made_.shares_vertices = owners.shares_vertices;
    made_.owners_hash = owners.hash();
    check_owners();
    num_rows_ = static_cast<std::size_t>(
        checked_count<Index>("make_part", "destinations of the part", owners.destinations.size_of(rank)));
    num_sources_ = static_cast<std::size_t>(
        checked_count<Index>("make_part", "sources of the part", owners.of_sources().size_of(rank)));
    checked_count<Offset>("make_part", "edges of the part", static_cast<std::int64_t>(edges.size()));
  }

  graph_part<Index, Offset> make() {
    order_rows();
    list_table();
    fill_rows();
    return std::move(made_);
  }

private:
  /// Positions among a rank's vertices are counted in 32 bits.
  void check_owners() const {
    for (vertex_owners const* side : {&owners_.destinations, &owners_.of_sources()}) {
      if (side->num_ranks() != owners_.num_ranks()) {
        throw invalid_argument(text("make_part: destinations are owned by ", owners_.num_ranks(), " ranks, sources by ",
                                    side->num_ranks()));
      }
      for (int q = 0; q < side->num_ranks(); ++q) {
        checked_count<std::int32_t>("make_part", "vertices of a rank", side->size_of(q));
      }
    }
  }
  /// Numbers rows: the interior first.
  void order_rows() {
    degree_.assign(num_rows_, 0);
    std::vector<char> is_boundary(num_rows_, 0);
    std::int64_t interior_edges = static_cast<std::int64_t>(edges_.size());
    for (auto const& e : edges_) {
      ++degree_[static_cast<std::size_t>(e.row)];
      if (e.owner != made_.rank) is_boundary[static_cast<std::size_t>(e.row)] = 1;
    }
    for (std::size_t v = 0; v < num_rows_; ++v) {
      if (is_boundary[v]) interior_edges -= degree_[v];
    }
    bool const splits = interior_edges * least_interior >= static_cast<std::int64_t>(edges_.size());
    row_at_.assign(num_rows_, 0);
    std::size_t next = 0;
    for (char const side : {char(0), char(1)}) {
      for (std::size_t v = 0; v < num_rows_; ++v) {
        if ((is_boundary[v] || !splits ? 1 : 0) == side) row_at_[v] = static_cast<Index>(next++);
      }
      if (side == 0) num_interior_ = next;
    }
    auto const ids = owners_.destinations.vertices_of(made_.rank);
    made_.destinations = host_buffer<std::int64_t>(num_rows_, exec_.memory);
    for (std::size_t v = 0; v < num_rows_; ++v) made_.destinations[static_cast<std::size_t>(row_at_[v])] = ids[v];
    made_.source_at = host_buffer<Index>(num_sources_, exec_.memory);
    if (made_.shares_vertices) {
      std::copy(row_at_.begin(), row_at_.end(), made_.source_at.begin());
    } else {
      for (std::size_t u = 0; u < num_sources_; ++u) made_.source_at[u] = static_cast<Index>(u);
      auto const own = owners_.sources.vertices_of(made_.rank);
      made_.sources = copy_of(std::span<std::int64_t const>(own), exec_.memory);
    }
  }

  bool is_interior(part_edge const& e) const {
    return static_cast<std::size_t>(row_at_[static_cast<std::size_t>(e.row)]) < num_interior_;
  }
  static std::uint64_t key_of(part_edge const& e) {
    return static_cast<std::uint64_t>(e.owner) << 32 | static_cast<std::uint32_t>(e.position);
  }

  /// Lists what the boundary reads.
  void list_table() {
    // Vertices of all ranks are marked where they are not many more than edges; else what is read is sorted.
    first_of_owner_.assign(static_cast<std::size_t>(made_.num_ranks) + 1, 0);
    for (int q = 0; q < made_.num_ranks; ++q) {
      auto const r = static_cast<std::size_t>(q);
      first_of_owner_[r + 1] = first_of_owner_[r] + owners_.of_sources().size_of(q);
    }
    bool const marks = first_of_owner_.back() / 8 <= static_cast<std::int64_t>(edges_.size());
    if (marks) row_of_.assign(static_cast<std::size_t>(first_of_owner_.back()), 0);
    for (auto const& e : edges_) {
      if (is_interior(e)) continue;
      if (marks) {
        row_of_[place_of(e)] = 1;
      } else {
        keys_.push_back(key_of(e));
      }
    }
    if (marks) {
      for (int q = 0; q < made_.num_ranks; ++q) {
        mark_nearly_all(q);
        for (std::int64_t k = 0; k < owners_.of_sources().size_of(q); ++k) {
          auto& row = row_of_[static_cast<std::size_t>(first_of_owner_[static_cast<std::size_t>(q)] + k)];
          if (row == 0) continue;
          row = static_cast<std::int32_t>(keys_.size());
          keys_.push_back(key_of({.owner = q, .position = static_cast<std::int32_t>(k)}));
        }
      }
    } else {
      std::sort(keys_.begin(), keys_.end());
      keys_.erase(std::unique(keys_.begin(), keys_.end()), keys_.end());
    }
    checked_count<Index>("make_part", "rows that the boundary reads", static_cast<std::int64_t>(keys_.size()));
    made_.table = host_buffer<Index>(keys_.size(), exec_.memory);
    made_.table_first.assign(static_cast<std::size_t>(made_.num_ranks) + 1, 0);
    for (std::size_t k = 0; k < keys_.size(); ++k) {
      made_.table[k] = static_cast<Index>(keys_[k] & 0xFFFFFFFFu);
      ++made_.table_first[static_cast<std::size_t>(keys_[k] >> 32) + 1];
    }
    for (std::size_t r = 1; r < made_.table_first.size(); ++r) made_.table_first[r] += made_.table_first[r - 1];
  }
  /// Marks all vertices of a rank where seven of eight are: they then lie side by side, and need no packing.
  void mark_nearly_all(int rank) {
    auto const r = static_cast<std::size_t>(rank);
    auto const first = row_of_.begin() + first_of_owner_[r], end = row_of_.begin() + first_of_owner_[r + 1];
    if (std::count(first, end, 1) * 8 >= (end - first) * 7) std::fill(first, end, 1);
  }
  std::size_t place_of(part_edge const& e) const {
    return static_cast<std::size_t>(first_of_owner_[static_cast<std::size_t>(e.owner)] + e.position);
  }
  /// The row of an edge's source in the table.
  Index table_row(part_edge const& e) const {
    if (!row_of_.empty()) return static_cast<Index>(row_of_[place_of(e)]);
    return static_cast<Index>(std::lower_bound(keys_.begin(), keys_.end(), key_of(e)) - keys_.begin());
  }

  void fill_rows() {
    std::vector<std::int64_t> next(num_rows_ + 1, 0);  // by row of the part
    for (std::size_t v = 0; v < num_rows_; ++v) next[static_cast<std::size_t>(row_at_[v]) + 1] = degree_[v];
    for (std::size_t v = 0; v < num_rows_; ++v) next[v + 1] += next[v];
    auto const first_boundary = static_cast<std::size_t>(next[num_interior_]);
    auto const offsets_from = [&](std::size_t first, std::size_t count) {
      host_buffer<Offset> offsets(count + 1, exec_.memory);
      for (std::size_t v = 0; v <= count; ++v) offsets[v] = static_cast<Offset>(next[first + v] - next[first]);
      return offsets;
    };
    auto interior_offsets = offsets_from(0, num_interior_);
    auto boundary_offsets = offsets_from(num_interior_, num_rows_ - num_interior_);
    host_buffer<Index> interior(first_boundary, exec_.memory);
    host_buffer<Index> boundary(edges_.size() - first_boundary, exec_.memory);
    made_.edges = host_buffer<std::int64_t>(edges_.size(), exec_.memory);
    for (auto const& e : edges_) {
      auto const at =
          static_cast<std::size_t>(next[static_cast<std::size_t>(row_at_[static_cast<std::size_t>(e.row)])]++);
      made_.edges[at] = e.id;
      if (is_interior(e)) {
        interior[at] = made_.source_at[static_cast<std::size_t>(e.position)];
      } else {
        boundary[at - first_boundary] = table_row(e);
      }
    }
    auto const counts = [](std::size_t sources, std::size_t destinations) {
      return vertex_counts{.sources = static_cast<std::int64_t>(sources),
                           .destinations = static_cast<std::int64_t>(destinations)};
    };
    auto ids = number_boundary(boundary, first_boundary);
    made_.interior = {counts(num_sources_, num_interior_), std::move(interior_offsets), std::move(interior), {}};
    made_.boundary = {counts(keys_.size(), num_rows_ - num_interior_), std::move(boundary_offsets), std::move(boundary),
                      std::move(ids)};
  }
  /// Moves edges from this rank's sources before the others. Returns the ids of the boundary's edges, none where they
  /// are as they lie.
  host_buffer<Offset> number_boundary(host_buffer<Index> const& boundary, std::size_t first) {
    auto const own = static_cast<std::size_t>(made_.rank);
    auto const reads_own = [&](std::size_t k) {
      return boundary[k] >= made_.table_first[own] && boundary[k] < made_.table_first[own + 1];
    };
    std::size_t num_own = 0;
    for (std::size_t k = 0; k < boundary.size(); ++k) num_own += reads_own(k) ? 1 : 0;
    made_.num_own_edges = static_cast<Offset>(first + num_own);
    if (num_own == 0 || num_own == boundary.size()) return {};
    host_buffer<Offset> ids(boundary.size(), exec_.memory);
    std::vector<std::int64_t> const as_they_lie(made_.edges.begin() + first, made_.edges.end());
    std::size_t next_own = 0, next_other = num_own;
    for (std::size_t k = 0; k < boundary.size(); ++k) {
      std::size_t const id = reads_own(k) ? next_own++ : next_other++;
      ids[k] = static_cast<Offset>(id);
      made_.edges[first + id] = as_they_lie[k];
    }
    return ids;
  }

  cpu const& exec_;
  ownership const& owners_;
  std::vector<part_edge> const& edges_;
  graph_part<Index, Offset> made_;
  std::size_t num_rows_ = 0, num_sources_ = 0, num_interior_ = 0;
  std::vector<std::int64_t> degree_;
  std::vector<Index> row_at_;                 // of the part, by position among the rank's destinations
  std::vector<std::uint64_t> keys_;           // of what the boundary reads: owner and position
  std::vector<std::int64_t> first_of_owner_;  // sources of the ranks before each
  std::vector<std::int32_t> row_of_;          // by source of all ranks, where they are marked
};

inline part_edge edge_of_part(ownership const& owners, std::int64_t source, std::int64_t destination, std::int64_t id) {
  return {static_cast<std::int32_t>(owners.destinations.position_of(destination)), owners.of_sources().owner_of(source),
          static_cast<std::int32_t>(owners.of_sources().position_of(source)), id};
}

/// Edges of a whole graph whose destinations belong to a rank, in the order of the graph. Of rows only the rank's own
/// are read, by all threads.
template <graph_view View>
std::vector<part_edge> edges_of_rank([[maybe_unused]] cpu const& exec, View const& edges, ownership const& owners,
                                     int rank) {
  using Offset = typename View::offset_type;
  using Index = typename View::index_type;
  std::vector<part_edge> own;
  if constexpr (std::is_base_of_v<csr_view<Index, Offset>, View>) {
    auto const rows = owners.destinations.vertices_of(rank);
    std::vector<std::int64_t> first(rows.size() + 1, 0);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      first[i + 1] = first[i] + (edges.offsets[rows[i] + 1] - edges.offsets[rows[i]]);
    }
    own.resize(static_cast<std::size_t>(first.back()));
    auto const num_rows = static_cast<std::int64_t>(rows.size());
#if defined(_OPENMP)
#pragma omp parallel for num_threads(num_threads(exec, first.back())) schedule(dynamic, 1024)
#endif
    for (std::int64_t i = 0; i < num_rows; ++i) {
      auto const row = static_cast<std::size_t>(i);
      Offset const begin = edges.offsets[rows[row]];
      for (std::int64_t k = first[row]; k < first[row + 1]; ++k) {
        Offset const position = begin + static_cast<Offset>(k - first[row]);
        own[static_cast<std::size_t>(k)] = edge_of_part(owners, edges.neighbors[position], rows[row],
                                                        static_cast<std::int64_t>(edges.edge_id(position)));
      }
    }
  } else {
    for_each_edge(edges, [&](Offset position, Index source, Index destination) {
      if (owners.destinations.owner_of(destination) != rank) return;
      own.push_back(edge_of_part(owners, source, destination, static_cast<std::int64_t>(edges.edge_id(position))));
    });
  }
  return own;
}

/// Throws `communication_error` unless the ids of all ranks' edges are 0 to `whole`, each once: by a sum of hashes.
template <communicator Comm>
void require_all_ids(Comm& comm, typename Comm::exec_type const& exec, std::vector<part_edge> const& own,
                     std::int64_t whole) {
  std::uint64_t found = 0, wanted = 0;
  for (auto const& e : own) found += mixed(static_cast<std::uint64_t>(e.id));
  for (std::int64_t id = comm.rank(); id < whole; id += comm.size()) wanted += mixed(static_cast<std::uint64_t>(id));
  std::uint64_t difference = 0;
  for (auto const& list : gather_lists(comm, exec, std::vector<std::uint64_t>{found, wanted})) {
    difference += list[0] - list[1];
  }
  if (difference != 0) {
    throw communication_error(-1, text("make_part: the ids of all slices must be 0 to ", whole - 1, ", each once"));
  }
}

}  // namespace detail

/// The part of a rank of a whole host graph of any format. Throws `invalid_argument` where the owners are of another
/// graph, there is no such rank, or the part has more rows or edges than its integers count.
template <graph_view View>
auto make_part(cpu const& exec, View const& edges, ownership const& owners, int rank) {
  using Index = typename View::index_type;
  using Offset = typename View::offset_type;
  vertex_counts const counts{.sources = edges.num_sources(), .destinations = edges.num_destinations()};
  if (owners.counts() != counts) {
    throw invalid_argument(detail::text("make_part: owners of ", owners.counts().sources, " sources and ",
                                        owners.counts().destinations, " destinations are given, the graph has ",
                                        counts.sources, " and ", counts.destinations));
  }
  detail::require_rank(owners, rank);
  auto const own = detail::edges_of_rank(exec, edges, owners, rank);
  return detail::part_builder<Index, Offset>(exec, owners, rank, static_cast<std::int64_t>(edges.num_edges), own)
      .make();
}
template <graph_container Container>
auto make_part(cpu const& exec, Container const& edges, ownership const& owners, int rank) {
  detail::require_same_space<cpu, Container>();
  return make_part(exec, edges.view(), owners, rank);
}
template <class... Formats>
auto make_part(cpu const& exec, graph<Formats...> const& g, ownership const& owners, int rank) {
  return make_part(exec, g.first, owners, rank);
}

/// The part of this rank where each has a slice of the edges: they go to the ranks that own their destinations, and
/// rows are ordered by ids. Every rank of `comm` calls it; memory grows with the slice and the part, not with the
/// graph. Throws `invalid_argument` as above, `communication_error` where ranks do not agree on the graph or its
/// owners, some slices have ids and others none, or the ids of all are not 0 to the number of edges.
template <class Index = std::int32_t, class Offset = std::int32_t, communicator Comm>
graph_part<Index, Offset> make_part(Comm& comm, typename Comm::exec_type const& exec, edge_slice const& slice,
                                    ownership const& owners) {
  detail::check_slice(slice);
  if (owners.counts() != slice.counts || owners.num_ranks() != comm.size()) {
    throw invalid_argument(detail::text("make_part: owners of ", owners.counts().sources, " sources and ",
                                        owners.counts().destinations, " destinations for ", owners.num_ranks(),
                                        " ranks are given, the graph has ", slice.counts.sources, " and ",
                                        slice.counts.destinations, ", and there are ", comm.size(), " ranks"));
  }
  std::array<char const*, 4> const what{"sources", "destinations", "as the hash of owners",
                                        "for slices with ids (1) or without (0)"};
  bool const has_ids = !slice.ids.empty();
  auto const sizes = detail::gather_lists(
      comm, exec,
      std::vector<std::int64_t>{static_cast<std::int64_t>(slice.sources.size()), has_ids || slice.sources.empty()});
  std::int64_t first = 0, whole = 0;
  bool all_have_ids = true;
  for (std::size_t q = 0; q < sizes.size(); ++q) {
    if (static_cast<int>(q) < comm.rank()) first += sizes[q][0];
    whole += sizes[q][0];
    all_have_ids = all_have_ids && sizes[q][1] != 0;
  }
  detail::require_agreement(comm, exec,
                            {slice.counts.sources, slice.counts.destinations, static_cast<std::int64_t>(owners.hash()),
                             slice.sources.empty() ? (all_have_ids ? 1 : 0) : (has_ids ? 1 : 0)},
                            what, "make_part");
  std::vector<std::vector<std::int64_t>> lists(static_cast<std::size_t>(comm.size()));
  for (std::size_t k = 0; k < slice.sources.size(); ++k) {
    auto& list = lists[static_cast<std::size_t>(owners.destinations.owner_of(slice.destinations[k]))];
    list.push_back(slice.sources[k]);
    list.push_back(slice.destinations[k]);
    list.push_back(has_ids ? slice.ids[k] : first + static_cast<std::int64_t>(k));
  }
  std::vector<detail::part_edge> own;
  for (auto const& list : detail::exchange_lists(comm, exec, lists)) {
    for (std::size_t k = 0; k + 2 < list.size(); k += 3) {
      own.push_back(detail::edge_of_part(owners, list[k], list[k + 1], list[k + 2]));
    }
  }
  detail::require_all_ids(comm, exec, own, whole);
  std::stable_sort(own.begin(), own.end(), [](auto const& a, auto const& b) { return a.id < b.id; });
  return detail::part_builder<Index, Offset>(cpu{}, owners, comm.rank(), whole, own).make();
}

}  // namespace edgewise::inline v0
