// Which rows go where: what a rank sends of its sources, and where gradients that come back belong. Built once for a
// part, for all programs over it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <edgewise/core/config.hpp>
#include <edgewise/core/error.hpp>
#include <edgewise/core/memory.hpp>
#include <edgewise/distributed/communicator.hpp>
#include <edgewise/distributed/exchange_lists.hpp>
#include <edgewise/distributed/graph_part.hpp>
#include <edgewise/distributed/list_operations.hpp>
#include <edgewise/distributed/message_lists.hpp>
#include <edgewise/distributed/part_memory.hpp>
#include <edgewise/distributed/pulled_gradients.hpp>

namespace edgewise::inline v0 {

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

/// Positions among the sources that this rank owns which ranks read, those of rank q from first[q] on.
template <class Index, class Space>
struct asked_rows {
  buffer<Index, Space> positions;
  std::vector<std::int64_t> first;  ///< [ranks + 1]
};

/// What each rank reads of this one, in the memory where passes run. Collective.
template <class Index, class Offset, communicator Comm>
auto exchange_positions(Comm& comm, typename Comm::exec_type const& exec, graph_part<Index, Offset> const& part) {
  using memory = part_memory<typename Comm::exec_type>;
  auto const num_ranks = static_cast<std::size_t>(part.num_ranks);
  auto const own = static_cast<std::size_t>(part.rank);
  std::vector<std::int64_t> wanted(num_ranks);
  for (std::size_t q = 0; q < num_ranks; ++q) wanted[q] = part.table_first[q + 1] - part.table_first[q];
  auto const counts = exchange_counts(comm, exec, wanted);
  asked_rows<Index, typename Comm::exec_type::space> asked;
  asked.first.assign(num_ranks + 1, 0);
  for (std::size_t q = 0; q < num_ranks; ++q) asked.first[q + 1] = asked.first[q] + counts[q];
  asked.positions = memory::template make_passing<Index>(exec, static_cast<std::size_t>(asked.first.back()));

  auto const table = memory::show(exec, span_of(part.table));
  std::vector<outgoing> sends;
  std::vector<incoming> receives;
  for (int q = 0; q < part.num_ranks; ++q) {
    if (q == part.rank) continue;
    add_rows_of_rank(sends, table.data(), part.table_first, q, 1);
    add_rows_of_rank(receives, asked.positions.data(), asked.first, q, 1);
  }
  comm.start(exec, sends, receives);
  comm.finish(exec);
  memory::copy(exec,
               span_of(part.table)
                   .subspan(static_cast<std::size_t>(part.table_first[own]), static_cast<std::size_t>(wanted[own])),
               asked.positions.data() + asked.first[own]);
  comm.wait(exec);
  return asked;
}

/// Which positions are none of a rank's sources?
template <class Index>
struct mark_unknown {
  Index const* positions;
  Index num_sources;
  Index* marks;

  EDGEWISE_HD void operator()(std::int64_t k) const {
    marks[k] = positions[k] < 0 || positions[k] >= num_sources ? 1 : 0;
  }
};

/// Throws `communication_error` naming the first rank that asks for what this one has not.
template <class Exec, class Index, class Offset>
void require_sources(Exec const& exec, asked_rows<Index, typename Exec::space> const& asked,
                     graph_part<Index, Offset> const& part) {
  typename list_operations<Exec>::template marks<Index> marks(exec, "halo_plan", asked.first.back());
  for_each_element(exec, asked.first.back(),
                   mark_unknown<Index>{asked.positions.data(), part.num_sources(), marks.data()});
  marks.count(exec);
  if (marks.read_total(exec) == 0) return;
  auto const positions = part_memory<Exec>::read(exec, asked.positions);
  for (std::size_t q = 0; q + 1 < asked.first.size(); ++q) {
    for (std::int64_t k = asked.first[q]; k < asked.first[q + 1]; ++k) {
      Index const position = positions[static_cast<std::size_t>(k)];
      if (position >= 0 && position < part.num_sources()) continue;
      throw communication_error(static_cast<int>(q), text("halo_plan: rank ", q, " reads source ", position,
                                                          " of rank ", part.rank, ", which has ", part.num_sources()));
    }
  }
}

/// Looks up the rows at the positions that are asked for, and where the gradient of each is: those from `own_begin` to
/// `own_end` are in this rank's table, from its row `first_own` on.
template <class Index>
struct locate_rows {
  Index const* positions;
  Index const* source_at;
  std::int64_t own_begin;
  std::int64_t own_end;
  std::int64_t first_own;
  Index* send_rows;
  Index* own_rows;
  Index* rows;  ///< all of them
  Index* places;

  EDGEWISE_HD void operator()(std::int64_t k) const {
    Index const row = source_at[positions[k]];
    rows[k] = row;
    if (k >= own_begin && k < own_end) {
      own_rows[k - own_begin] = row;
      places[k] = static_cast<Index>(~(first_own + (k - own_begin)));
    } else {
      std::int64_t const at = k < own_begin ? k : k - (own_end - own_begin);
      send_rows[at] = row;
      places[k] = static_cast<Index>(at);
    }
  }
};

/// Which rows are not the one before and 1?
template <class Index>
struct mark_breaks {
  Index const* rows;
  Index* marks;

  EDGEWISE_HD void operator()(std::int64_t k) const { marks[k] = k == 0 || rows[k] != rows[k - 1] + 1 ? 1 : 0; }
};
/// The first of the rows from first[q] to first[q + 1] where there is no break behind it, else -1.
template <class Index>
struct find_runs {
  Index const* rows;
  Index const* breaks_before;
  std::int64_t const* first;
  std::int64_t* runs;

  EDGEWISE_HD void operator()(std::int64_t q) const {
    std::int64_t const begin = first[q], end = first[q + 1];
    bool const is_run = begin < end && breaks_before[end] == breaks_before[begin + 1];
    runs[q] = is_run ? static_cast<std::int64_t>(rows[begin]) : std::int64_t{-1};
  }
};

template <class Exec, class Index>
std::vector<std::int64_t> runs_of_ranks(Exec const& exec, buffer<Index, typename Exec::space> const& rows,
                                        std::vector<std::int64_t> const& first) {
  using memory = part_memory<Exec>;
  auto const num_rows = static_cast<std::int64_t>(rows.size());
  typename list_operations<Exec>::template marks<Index> marks(exec, "halo_plan", num_rows);
  for_each_element(exec, num_rows, mark_breaks<Index>{rows.data(), marks.data()});
  marks.count(exec);
  auto const shown = memory::show(exec, std::span<std::int64_t const>(first));
  auto runs = memory::template make_passing<std::int64_t>(exec, first.size() - 1);
  for_each_element(exec, static_cast<std::int64_t>(runs.size()),
                   find_runs<Index>{rows.data(), marks.data(), shown.data(), runs.data()});
  auto const found = memory::read(exec, runs);
  return {found.begin(), found.end()};
}

/// `first`, the beginnings of the ranks' rows, without the rows of a rank.
inline std::vector<std::int64_t> first_without(std::vector<std::int64_t> first, int rank) {
  auto const own = static_cast<std::size_t>(rank);
  std::int64_t const count = first[own + 1] - first[own];
  for (std::size_t q = own + 1; q < first.size(); ++q) first[q] -= count;
  return first;
}

}  // namespace detail

/// Tells every rank what this part reads of it. Collective: every rank of `comm` calls it with its own part. The lists
/// are made where passes run; meanwhile there are up to eight numbers more for each row that ranks read of this one,
/// and one for each of its sources. Waits for the stream. Throws `communication_error` naming the rank whose part is of
/// another graph, or that asks for rows which this rank has not.
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
  auto const own = static_cast<std::size_t>(part.rank);
  auto const asked = detail::exchange_positions(comm, exec, part);
  std::int64_t const num_asked = asked.first.back(), num_own = asked.first[own + 1] - asked.first[own];
  detail::checked_count<Index>("halo_plan", "rows sent", num_asked - num_own);
  detail::checked_count<Index>("halo_plan", "gradients that come back", num_asked);
  detail::require_sources(exec, asked, part);

  halo_plan<Index, Space> halo;
  auto own_rows = memory::template make<Index>(exec, static_cast<std::size_t>(num_own));
  auto rows = memory::template make_passing<Index>(exec, static_cast<std::size_t>(num_asked));
  auto places = memory::template make_passing<Index>(exec, static_cast<std::size_t>(num_asked));
  halo.send_rows = memory::template make<Index>(exec, static_cast<std::size_t>(num_asked - num_own));
  auto const source_at = memory::show(exec, detail::span_of(part.source_at));
  detail::for_each_element(
      exec, num_asked,
      detail::locate_rows<Index>{asked.positions.data(), source_at.data(), asked.first[own], asked.first[own + 1],
                                 part.table_first[own], halo.send_rows.data(), own_rows.data(), rows.data(),
                                 places.data()});
  halo.send_first = detail::first_without(asked.first, part.rank);
  halo.send_run = detail::runs_of_ranks<typename Comm::exec_type, Index>(exec, halo.send_rows, halo.send_first);

  detail::gradient_places<typename Comm::exec_type, Index> const gradients(exec, std::move(rows), std::move(places),
                                                                           part.num_sources());
  halo.of_boundary = {part.table_first, std::move(own_rows),
                      gradients.pulled(exec, part.interior.num_destinations() == 0)};
  halo.of_others = {detail::first_without(part.table_first, part.rank), buffer<Index, Space>{},
                    gradients.received(exec).pulled(exec, part.num_destinations() == 0)};
  memory::wait(exec);
  return halo;
}

}  // namespace edgewise::inline v0
