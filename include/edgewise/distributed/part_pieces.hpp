// A part in two pieces, one of which waits for no other rank: by rows, or by edges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <edgewise/core/config.hpp>
#include <edgewise/core/memory.hpp>
#include <edgewise/distributed/graph_part.hpp>
#include <edgewise/distributed/halo_plan.hpp>
#include <edgewise/distributed/list_operations.hpp>
#include <edgewise/distributed/part_memory.hpp>
#include <edgewise/distributed/part_rows.hpp>
#include <edgewise/distributed/piece_types.hpp>
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

/// The same of edges with types.
template <class Exec, class Index, class Offset>
struct typed_part_piece : part_piece<Exec, Index, Offset> {
  using graph_type = graph<part_rows_view<Index, Offset>, csc_view<Index, Offset>, typed_edges_view<Index, Offset>>;

  piece_types<Exec, Index, Offset> types;

  graph_type view() const {
    auto const both = part_piece<Exec, Index, Offset>::view();
    return {both.first, both.second, types.view(this->rows.num_neighbors)};
  }
};

template <class Exec, class Part>
struct piece_of_part;
template <class Exec, class Index, class Offset>
struct piece_of_part<Exec, graph_part<Index, Offset>> {
  using type = part_piece<Exec, Index, Offset>;
};
template <class Exec, class Index, class Offset>
struct piece_of_part<Exec, typed_graph_part<Index, Offset>> {
  using type = typed_part_piece<Exec, Index, Offset>;
};
template <class Exec, class Part>
using piece_of = typename piece_of_part<Exec, Part>::type;

template <class Exec, class Part>
struct part_pieces {
  piece_of<Exec, Part> local;   ///< reads this rank's sources
  piece_of<Exec, Part> remote;  ///< reads the rows of the table
  halo_table<typename Part::index_type, typename Exec::space> const* table;
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

/// The boundary's edges where passes run, of which the first `num_own` by their ids read sources of this rank.
template <class Index, class Offset>
struct boundary_edges {
  Offset const* offsets;
  Index const* neighbors;
  Offset const* ids;  ///< null where they are positions
  Offset num_edges;
  Offset num_own;

  EDGEWISE_HD Offset id(Offset position) const { return ids ? ids[position] : position; }
  /// How many edges before a position are among the first: edges of both kinds are numbered in order.
  EDGEWISE_HD Offset own_before(Offset position) const {
    if (position == num_edges) return num_own;
    Offset const at = id(position);
    return at < num_own ? at : position - (at - num_own);
  }
};

/// Puts each neighbor where the id of its edge says: a source of the part, or a row of a table without this rank's,
/// which are those from own_begin to own_end.
template <class Index, class Offset>
struct divide_neighbors {
  boundary_edges<Index, Offset> edges;
  Index const* own_rows;
  std::int64_t own_begin;
  std::int64_t own_end;
  Index* own;
  Index* others;

  EDGEWISE_HD void operator()(std::int64_t k) const {
    Offset const id = edges.id(static_cast<Offset>(k));
    Index const row = edges.neighbors[k];
    if (id < edges.num_own) {
      own[id] = own_rows[row - own_begin];
    } else {
      others[id - edges.num_own] = static_cast<Index>(row < own_begin ? row : row - (own_end - own_begin));
    }
  }
};
/// Where each of all rows begins in both; of own edges, the interior's are there already.
template <class Index, class Offset>
struct divide_offsets {
  boundary_edges<Index, Offset> edges;
  std::int64_t num_interior;
  Offset interior_edges;
  Offset* own;
  Offset* others;

  EDGEWISE_HD void operator()(std::int64_t row) const {
    Offset begin = 0, own_begin = 0;
    if (row >= num_interior) {
      begin = edges.offsets[row - num_interior];
      own_begin = edges.own_before(begin);
      own[row] = static_cast<Offset>(interior_edges + own_begin);
    }
    others[row] = static_cast<Offset>(begin - own_begin);
  }
};

/// All rows of a part with edges from sources of this rank, and all rows with the others. Neighbors are the part's
/// sources, and rows of a table without this rank's. Meanwhile the boundary's rows lie where passes run, too. Shapes:
/// own_rows [this rank's rows of the table], their numbers in the part.
template <class Exec, class Index, class Offset, class Part>
void divide_edges(Exec const& exec, graph_part<Index, Offset> const& part,
                  buffer<Index, typename Exec::space> const& own_rows, part_pieces<Exec, Part>& pieces) {
  using memory = part_memory<Exec>;
  auto const own = static_cast<std::size_t>(part.rank);
  std::int64_t const own_begin = part.table_first[own], own_end = part.table_first[own + 1];
  auto const num_rows = static_cast<std::size_t>(part.num_destinations());
  auto const num_interior = static_cast<std::size_t>(part.interior.num_destinations());
  auto const num_own = static_cast<std::size_t>(part.num_own_edges);
  auto own_offsets = memory::template make<Offset>(exec, num_rows + 1);
  auto own_neighbors = memory::template make<Index>(exec, num_own);
  auto other_offsets = memory::template make<Offset>(exec, num_rows + 1);
  auto other_neighbors = memory::template make<Index>(exec, part.edges.size() - num_own);

  memory::copy(exec, span_of(part.interior.offsets()).first(num_interior), own_offsets.data());
  memory::copy(exec, span_of(part.interior.neighbors()), own_neighbors.data());
  {
    auto const offsets = memory::show(exec, span_of(part.boundary.offsets()));
    auto const neighbors = memory::show(exec, span_of(part.boundary.neighbors()));
    auto const ids = memory::show(exec, span_of(part.boundary.edge_ids()));
    Offset const interior_edges = part.interior.num_edges();
    boundary_edges<Index, Offset> const edges{offsets.data(), neighbors.data(), ids.data(), part.boundary.num_edges(),
                                              static_cast<Offset>(part.num_own_edges - interior_edges)};
    for_each_element(exec, static_cast<std::int64_t>(num_rows) + 1,
                     divide_offsets<Index, Offset>{edges, static_cast<std::int64_t>(num_interior), interior_edges,
                                                   own_offsets.data(), other_offsets.data()});
    for_each_element(exec, part.boundary.num_edges(),
                     divide_neighbors<Index, Offset>{edges, own_rows.data(), own_begin, own_end,
                                                     own_neighbors.data() + interior_edges, other_neighbors.data()});
  }
  auto const adopt = [&](std::int64_t sources, auto& offsets, auto& neighbors, auto& piece) {
    vertex_counts const counts{.sources = sources, .destinations = part.num_destinations()};
    piece.storage = {counts, std::move(offsets), std::move(neighbors), {}};
    piece.rows = piece.storage.view();
  };
  adopt(part.num_sources(), own_offsets, own_neighbors, pieces.local);
  adopt(part.num_halo_rows(), other_offsets, other_neighbors, pieces.remote);
}

/// Waits for the stream of `exec`: the pieces may be read on any other.
template <class Exec, class Index, class Part>
part_pieces<Exec, Part> divide_part(Exec const& exec, Part const& part,
                                    halo_plan<Index, typename Exec::space> const& halo, part_division division) {
  part_pieces<Exec, Part> pieces;
  if (division == part_division::by_rows) {
    place_rows(exec, part.interior, pieces.local);
    place_rows(exec, part.boundary, pieces.remote);
    pieces.remote.first_row = part.interior.num_destinations();
    pieces.remote.first_edge = part.interior.num_edges();
    pieces.table = &halo.of_boundary;
  } else {
    divide_edges(exec, part, halo.of_boundary.own_rows, pieces);
    pieces.remote.first_edge = part.num_own_edges;
    pieces.table = &halo.of_others;
  }
  for (auto* piece : {&pieces.local, &pieces.remote}) {
    piece->by_source = to_csc(exec, piece->rows);
    if constexpr (has_edge_types<Part>) {
      auto const types =
          span_of(part.edge_types)
              .subspan(static_cast<std::size_t>(piece->first_edge), static_cast<std::size_t>(piece->num_edges()));
      piece->types = {exec, piece->rows, types, part.num_types};
    }
  }
  part_memory<Exec>::wait(exec);
  return pieces;
}

}  // namespace detail
}  // namespace edgewise::inline v0
