// Which rows go where: what a rank sends of its sources, and where gradients that come back belong. Built once for a
// part, for all programs over it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <edgewise/core/error.hpp>
#include <edgewise/core/memory.hpp>
#include <edgewise/distributed/communicator.hpp>
#include <edgewise/distributed/exchange_lists.hpp>
#include <edgewise/distributed/graph_part.hpp>
#include <edgewise/engine/concept.hpp>

namespace edgewise::inline v0 {

/// Sources of a part whose gradients come together from several places, and for each where they are: rows of what is
/// received when gradients come back, as `halo_plan::send_rows` lists them, or ~k of row k of this rank's table, in the
/// order of ranks. Those of the i-th are parts[first_part[i]] to parts[first_part[i + 1] - 1].
template <class Index, class Space>
struct pulled_gradients {
  buffer<Index, Space> rows;  ///< numbers in the part
  buffer<Index, Space> first_part;
  buffer<Index, Space> parts;

  std::int64_t num_rows() const { return static_cast<std::int64_t>(rows.size()); }
};

/// A table with a row for each source that some of a part's edges read, rank by rank.
template <class Index, class Space>
struct halo_table {
  std::vector<std::int64_t> first;  ///< [ranks + 1], the rows of each rank
  buffer<Index, Space> own_rows;    ///< this rank's: their numbers in the part
  pulled_gradients<Index, Space> pulled;

  std::int64_t num_rows() const { return first.back(); }
  std::int64_t num_own_rows() const { return static_cast<std::int64_t>(own_rows.size()); }
};

/// The rows of sources that ranks exchange, in the memory space of a part's passes. No symmetry is assumed: what this
/// rank reads of another and what the other reads of it are unrelated.
template <class Index, class Space>
struct halo_plan {
  std::vector<std::int64_t> send_first;  ///< [ranks + 1], rows for each rank in what is sent; none for itself
  std::vector<std::int64_t> send_run;    ///< [ranks], the first of these rows where they lie side by side, else -1
  buffer<Index, Space> send_rows;        ///< [rows sent]: their numbers in this part
  /// What the boundary reads. Where there is no interior, gradients of all sources come from here.
  halo_table<Index, Space> of_boundary;
  /// The same without rows of this rank: what all edges from sources of other ranks read.
  halo_table<Index, Space> of_others;

  std::int64_t num_sent_rows() const { return send_first.back(); }
};

namespace detail {

/// Host arrays and rows, copied to where passes run. For `cuda`: distributed/device.cuh.
template <class Exec>
struct part_memory;
template <>
struct part_memory<cpu> {
  template <class T>
  static host_buffer<T> place(cpu const&, host_buffer<T> values) {
    return values;
  }
  static void wait(cpu const&) {}
};

template <class Index>
host_buffer<Index> buffer_of_list(std::vector<Index> const& values) {
  return copy_of(std::span<Index const>(values));
}

/// The first of rows[first], rows[first + 1], ... where each is the one before and 1, else -1.
template <class Index>
std::int64_t first_of_run(std::vector<Index> const& rows, std::int64_t first) {
  auto const at = static_cast<std::size_t>(first);
  for (std::size_t k = at + 1; k < rows.size(); ++k) {
    if (rows[k] != rows[k - 1] + 1) return -1;
  }
  return at < rows.size() ? static_cast<std::int64_t>(rows[at]) : -1;
}

/// The sources of a part, and where gradients of each are.
template <class Index>
class gradient_places {
public:
  void add(Index source, Index place) { places_.push_back({source, place}); }
  std::int64_t size() const { return static_cast<std::int64_t>(places_.size()); }
  void order() {
    std::stable_sort(places_.begin(), places_.end(), [](auto const& a, auto const& b) { return a.first < b.first; });
  }
  /// Those of sources that have any, or of all; with what this rank's own table holds, or without. Ordered before.
  template <class Exec>
  auto pulled(Exec const& exec, Index num_sources, bool of_all, bool with_own) const {
    std::vector<Index> rows, first_part, parts;
    std::size_t next = 0;
    for (Index row = 0; row < num_sources; ++row) {
      auto const first = parts.size();
      for (; next < places_.size() && places_[next].first == row; ++next) {
        if (with_own || places_[next].second >= 0) parts.push_back(places_[next].second);
      }
      if (parts.size() == first && !of_all) continue;
      rows.push_back(row);
      first_part.push_back(static_cast<Index>(first));
    }
    first_part.push_back(static_cast<Index>(parts.size()));
    using memory = part_memory<Exec>;
    return pulled_gradients<Index, typename Exec::space>{memory::place(exec, buffer_of_list(rows)),
                                                         memory::place(exec, buffer_of_list(first_part)),
                                                         memory::place(exec, buffer_of_list(parts))};
  }

private:
  std::vector<std::pair<Index, Index>> places_;
};

/// `first`, the beginnings of the ranks' rows, without the rows of a rank.
inline std::vector<std::int64_t> first_without(std::vector<std::int64_t> first, int rank) {
  auto const own = static_cast<std::size_t>(rank);
  std::int64_t const count = first[own + 1] - first[own];
  for (std::size_t q = own + 1; q < first.size(); ++q) first[q] -= count;
  return first;
}

}  // namespace detail

/// Tells every rank what this part reads of it. Collective: every rank of `comm` calls it with its own part. Throws
/// `communication_error` naming the rank whose part is of another graph, or that asks for rows which this rank has not.
template <class Index, class Offset, communicator Comm>
auto make_halo_plan(Comm& comm, typename Comm::exec_type const& exec, graph_part<Index, Offset> const& part) {
  using Space = typename Comm::exec_type::space;
  using memory = detail::part_memory<typename Comm::exec_type>;
  if (part.rank != comm.rank() || part.num_ranks != comm.size()) {
    throw invalid_argument(detail::text("halo_plan: the part is that of rank ", part.rank, " of ", part.num_ranks,
                                        ", this is rank ", comm.rank(), " of ", comm.size()));
  }
  std::array<char const*, 4> const what{"sources", "destinations", "edges", "as the hash of owners"};
  detail::require_agreement(
      comm, exec,
      {part.whole.sources, part.whole.destinations, part.whole_edges, static_cast<std::int64_t>(part.owners_hash)},
      what, "halo_plan");
  auto const num_ranks = static_cast<std::size_t>(part.num_ranks);
  auto const own = static_cast<std::size_t>(part.rank);
  std::vector<std::vector<Index>> wanted(num_ranks);
  for (std::size_t q = 0; q < num_ranks; ++q) {
    wanted[q].assign(part.table.begin() + part.table_first[q], part.table.begin() + part.table_first[q + 1]);
  }
  auto const asked = detail::exchange_lists(comm, exec, wanted);

  halo_plan<Index, Space> halo;
  halo.send_first.assign(num_ranks + 1, 0);
  std::vector<Index> send_rows, own_rows;
  detail::gradient_places<Index> places;
  for (std::size_t q = 0; q < num_ranks; ++q) {
    for (std::size_t k = 0; k < asked[q].size(); ++k) {
      Index const position = asked[q][k];
      if (position < 0 || position >= part.num_sources()) {
        throw communication_error(static_cast<int>(q),
                                  detail::text("halo_plan: rank ", q, " reads source ", position, " of rank ", own,
                                               ", which has ", part.num_sources()));
      }
      Index const row = part.source_at[static_cast<std::size_t>(position)];
      if (q == own) {
        places.add(row, static_cast<Index>(~(part.table_first[own] + static_cast<std::int64_t>(k))));
        own_rows.push_back(row);
      } else {
        places.add(row, static_cast<Index>(send_rows.size()));
        send_rows.push_back(row);
      }
    }
    halo.send_first[q + 1] = static_cast<std::int64_t>(send_rows.size());
    halo.send_run.push_back(detail::first_of_run(send_rows, halo.send_first[q]));
  }
  detail::checked_count<Index>("halo_plan", "rows sent", static_cast<std::int64_t>(send_rows.size()));
  detail::checked_count<Index>("halo_plan", "gradients that come back", places.size());
  places.order();
  Index const sources = part.num_sources();
  halo.send_rows = memory::place(exec, detail::buffer_of_list(send_rows));
  halo.of_boundary = {part.table_first, memory::place(exec, detail::buffer_of_list(own_rows)),
                      places.pulled(exec, sources, part.interior.num_destinations() == 0, true)};
  halo.of_others = {detail::first_without(part.table_first, part.rank), buffer<Index, Space>{},
                    places.pulled(exec, sources, part.num_destinations() == 0, false)};
  return halo;
}

}  // namespace edgewise::inline v0
