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

/// The rows of sources that ranks exchange, in the memory space of a part's passes. No symmetry is assumed: what this
/// rank reads of another and what the other reads of it are unrelated.
/// A table has a row for each source that the boundary of a part reads, rank by rank; this rank's own among them.
template <class Index, class Space>
struct halo_plan {
  std::vector<std::int64_t> table_first;  ///< [ranks + 1], the rows of each rank in the table
  std::vector<std::int64_t> send_first;   ///< [ranks + 1], rows for each rank in what is sent; none for itself
  std::vector<std::int64_t> send_run;     ///< [ranks], the first of these rows where they lie side by side, else -1
  buffer<Index, Space> send_rows;         ///< [rows sent]: their numbers in this part
  buffer<Index, Space> own_rows;          ///< this rank's own rows of the table: their numbers in the part

  /// Sources of this part that the boundary of some rank reads, all where there is no interior, and for each where its
  /// gradients are: rows of what is received when gradients come back, as `send_rows` lists them, or ~k of row k of
  /// this rank's table, in the order of ranks. Part i's are parts[first_part[i]] to parts[first_part[i + 1] - 1].
  buffer<Index, Space> pulled_rows;
  buffer<Index, Space> first_part;
  buffer<Index, Space> parts;

  std::int64_t num_table_rows() const { return table_first.back(); }
  std::int64_t num_sent_rows() const { return send_first.back(); }
  std::int64_t num_own_rows() const { return static_cast<std::int64_t>(own_rows.size()); }
  std::int64_t num_pulled_rows() const { return static_cast<std::int64_t>(pulled_rows.size()); }
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
  halo.table_first = part.table_first;
  halo.send_first.assign(num_ranks + 1, 0);
  std::vector<Index> send_rows, own_rows;
  std::vector<std::pair<Index, Index>> parts;  // the row of a source, and where a gradient of it is
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
        parts.push_back({row, static_cast<Index>(~(part.table_first[own] + static_cast<std::int64_t>(k)))});
        own_rows.push_back(row);
      } else {
        parts.push_back({row, static_cast<Index>(send_rows.size())});
        send_rows.push_back(row);
      }
    }
    halo.send_first[q + 1] = static_cast<std::int64_t>(send_rows.size());
    halo.send_run.push_back(detail::first_of_run(send_rows, halo.send_first[q]));
  }
  detail::checked_count<Index>("halo_plan", "rows sent", static_cast<std::int64_t>(send_rows.size()));
  detail::checked_count<Index>("halo_plan", "gradients that come back", static_cast<std::int64_t>(parts.size()));
  std::stable_sort(parts.begin(), parts.end(), [](auto const& a, auto const& b) { return a.first < b.first; });
  std::vector<Index> pulled_rows, first_part, places;
  bool const pulls_all = part.interior.num_destinations() == 0;
  std::size_t next = 0;
  for (Index row = 0; row < part.num_sources(); ++row) {
    bool const has_parts = next < parts.size() && parts[next].first == row;
    if (!has_parts && !pulls_all) continue;
    pulled_rows.push_back(row);
    first_part.push_back(static_cast<Index>(places.size()));
    for (; next < parts.size() && parts[next].first == row; ++next) places.push_back(parts[next].second);
  }
  first_part.push_back(static_cast<Index>(places.size()));

  halo.send_rows = memory::place(exec, detail::buffer_of_list(send_rows));
  halo.own_rows = memory::place(exec, detail::buffer_of_list(own_rows));
  halo.pulled_rows = memory::place(exec, detail::buffer_of_list(pulled_rows));
  halo.first_part = memory::place(exec, detail::buffer_of_list(first_part));
  halo.parts = memory::place(exec, detail::buffer_of_list(places));
  return halo;
}

}  // namespace edgewise::inline v0
