// A part in two pieces, one of which waits for no other rank: by rows, or by edges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include <edgewise/core/memory.hpp>
#include <edgewise/distributed/graph_part.hpp>
#include <edgewise/distributed/halo_plan.hpp>
#include <edgewise/distributed/part_rows.hpp>
#include <edgewise/format/convert.hpp>
#include <edgewise/format/csc.hpp>
#include <edgewise/format/csr.hpp>
#include <edgewise/format/graph.hpp>

namespace edgewise::inline v0 {

/// How a part is divided in a piece that reads this rank's sources alone, and one that reads rows of a table.
enum class part_division {
  by_rows,  ///< the interior and the boundary
  by_edges  ///< all rows with their edges from this rank's sources, and all rows with their other edges
};

/// The division under which more can run while rows travel. By edges, sums of rows are written by one piece and read by
/// the other: the interior is left as it is where it has half of the edges.
template <class Index, class Offset>
part_division division_of(graph_part<Index, Offset> const& part) {
  std::int64_t const edges = part.num_edges(), interior = part.interior.num_edges();
  bool const boundary_has_own_edges = (part.num_own_edges - interior) * detail::least_interior >= edges;
  return interior * 2 < edges && boundary_has_own_edges ? part_division::by_edges : part_division::by_rows;
}

namespace detail {

/// A piece of a part, in the memory where passes run.
template <class Exec, class Index, class Offset>
struct part_piece {
  using graph_type = graph<part_rows_view<Index, Offset>, csc_view<Index, Offset>>;

  std::int64_t first_row = 0;
  std::int64_t first_edge = 0;
  csr<Index, Offset, typename Exec::space> storage;  ///< empty where the part's own arrays are read
  csr_view<Index, Offset> rows;
  csc<Index, Offset, typename Exec::space> by_source;

  std::int64_t num_rows() const { return rows.num_rows; }
  std::int64_t num_edges() const { return rows.num_edges; }
  graph_type view() const { return {part_rows_view<Index, Offset>{rows}, by_source.view()}; }
};

template <class Exec, class Index, class Offset>
struct part_pieces {
  part_piece<Exec, Index, Offset> local;   ///< reads this rank's sources
  part_piece<Exec, Index, Offset> remote;  ///< reads the rows of the table
  halo_table<Index, typename Exec::space> const* table;
};

/// Rows of a part that end with the part.
template <class Exec, class Index, class Offset>
void place_rows(Exec const& exec, csr<Index, Offset> const& rows, part_piece<Exec, Index, Offset>& piece) {
  if constexpr (std::is_same_v<typename Exec::space, host_space>) {
    piece.rows = rows.view();
  } else {
    piece.storage = part_memory<Exec>::place(exec, rows);
    piece.rows = piece.storage.view();
  }
}
/// Rows that nobody else has.
template <class Exec, class Index, class Offset>
void place_rows(Exec const& exec, csr<Index, Offset>&& rows, part_piece<Exec, Index, Offset>& piece) {
  if constexpr (std::is_same_v<typename Exec::space, host_space>) {
    piece.storage = std::move(rows);
    piece.rows = piece.storage.view();
  } else {
    place_rows(exec, std::as_const(rows), piece);
  }
}

/// All rows of a part with edges from sources of this rank, or else with the others. Neighbors are the part's sources,
/// or rows of a table without this rank's.
template <class Index, class Offset>
csr<Index, Offset> rows_of_edges(graph_part<Index, Offset> const& part, bool are_own) {
  auto const own = static_cast<std::size_t>(part.rank);
  std::int64_t const begin = part.table_first[own], end = part.table_first[own + 1];
  auto const num_rows = static_cast<std::size_t>(part.num_destinations());
  host_buffer<Offset> offsets(num_rows + 1, host_memory());
  host_buffer<Index> neighbors(
      static_cast<std::size_t>(are_own ? part.num_own_edges : part.num_edges() - part.num_own_edges), host_memory());
  std::size_t row = 0, next = 0;
  offsets[0] = 0;
  auto const add = [&](csr_view<Index, Offset> const& rows, auto const& take) {
    for (Index v = 0; v < rows.num_rows; ++v) {
      for (Offset k = rows.offsets[v]; k < rows.offsets[v + 1]; ++k) take(rows.neighbors[k]);
      offsets[++row] = static_cast<Offset>(next);
    }
  };
  add(part.interior.view(), [&](Index source) {
    if (are_own) neighbors[next++] = source;
  });
  add(part.boundary.view(), [&](Index k) {
    bool const is_own = k >= begin && k < end;
    if (is_own != are_own) return;
    neighbors[next++] = is_own ? part.source_at[static_cast<std::size_t>(part.table[static_cast<std::size_t>(k)])]
                               : static_cast<Index>(k < begin ? k : k - (end - begin));
  });
  vertex_counts const counts{.sources = are_own ? part.num_sources() : part.table_first.back() - (end - begin),
                             .destinations = part.num_destinations()};
  return {counts, std::move(offsets), std::move(neighbors), {}};
}

/// Waits for the stream of `exec`: the pieces may be read on any other.
template <class Exec, class Index, class Offset>
part_pieces<Exec, Index, Offset> divide_part(Exec const& exec, graph_part<Index, Offset> const& part,
                                             halo_plan<Index, typename Exec::space> const& halo,
                                             part_division division) {
  part_pieces<Exec, Index, Offset> pieces;
  if (division == part_division::by_rows) {
    place_rows(exec, part.interior, pieces.local);
    place_rows(exec, part.boundary, pieces.remote);
    pieces.remote.first_row = part.interior.num_destinations();
    pieces.remote.first_edge = part.interior.num_edges();
    pieces.table = &halo.of_boundary;
  } else {
    place_rows(exec, rows_of_edges(part, true), pieces.local);
    place_rows(exec, rows_of_edges(part, false), pieces.remote);
    pieces.remote.first_edge = part.num_own_edges;
    pieces.table = &halo.of_others;
  }
  for (auto* piece : {&pieces.local, &pieces.remote}) piece->by_source = to_csc(exec, piece->rows);
  part_memory<Exec>::wait(exec);
  return pieces;
}

}  // namespace detail
}  // namespace edgewise::inline v0
