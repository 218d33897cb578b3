// How a part is laid out: the order of its rows, the table that they read, the numbers of its edges.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <edgewise/core/error.hpp>
#include <edgewise/core/memory.hpp>
#include <edgewise/core/resources.hpp>
#include <edgewise/distributed/graph_part.hpp>
#include <edgewise/distributed/ownership.hpp>

namespace edgewise::inline v0::detail {

/// An edge of a rank: the position of its destination among the rank's, where its source is, its id and its type.
struct part_edge {
  std::int32_t row = 0;
  std::int32_t owner = 0;
  std::int32_t position = 0;
  std::int32_t type = 0;  // where edges have types
  std::int64_t id = 0;
};

inline void require_rank(ownership const& owners, int rank) {
  if (rank >= 0 && rank < owners.num_ranks()) return;
  throw invalid_argument(text("make_part: is of rank ", rank, ", there are ", owners.num_ranks(), " ranks"));
}

/// Makes the part of a rank of its edges, in which those of a row are in order.
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

}  // namespace edgewise::inline v0::detail
