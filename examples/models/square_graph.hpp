// A square graph in the context's memory: both groupings of its edges.
#pragma once

#include <cstdint>

#include <edgewise/core/error.hpp>
#include <edgewise/format/csc.hpp>
#include <edgewise/format/csr.hpp>
#include <edgewise/format/graph.hpp>

#include "models/grouping_copy.hpp"

namespace edgewise::models {
namespace detail {

/// The csr. Throws `invalid_argument` unless both are groupings of one graph, and that is square.
inline csr_view<> const& checked_square(csr_view<> const& by_destination, csc_view<> const& by_source) {
  std::int64_t const num_vertices = by_destination.num_rows;
  if (by_destination.num_neighbors != num_vertices) {
    throw invalid_argument(edgewise::detail::text("square_graph: the graph has ", by_destination.num_neighbors,
                                                  " sources and ", num_vertices,
                                                  " destinations: a model needs one set of vertices"));
  }
  if (by_source.num_rows != num_vertices || by_source.num_neighbors != num_vertices ||
      by_source.num_edges != by_destination.num_edges) {
    throw invalid_argument(edgewise::detail::text("square_graph: csr has ", num_vertices, " rows and ",
                                                  by_destination.num_edges, " edges, csc has ", by_source.num_rows,
                                                  " rows and ", by_source.num_edges, ": not the same graph"));
  }
  return by_destination;
}

}  // namespace detail

/// Owns copies of a csr and a csc of the same edges, with edge ids where the originals have them: a message that drops
/// by edge needs the same ids in both. A rank of several has a part of them (ranked_context.hpp).
template <class Context>
class square_graph {
public:
  using space = typename Context::space;

  /// Copies two host groupings. Synchronises. Throws `invalid_argument` unless the graph is square and both groupings
  /// have its extents; the arrays themselves are believed.
  square_graph(Context const& context, csr_view<> const& by_destination, csc_view<> const& by_source)
      : num_vertices_(by_destination.num_rows),
        by_destination_(context, detail::checked_square(by_destination, by_source)),
        by_source_(context, by_source) {
    context.synchronize();
  }

  std::int64_t num_vertices() const { return num_vertices_; }

  /// Both groupings as kernels see them.
  graph<csr_view<>, csc_view<>> view() const { return {by_destination_.view(), by_source_.view()}; }
  /// Of numbers of the vertices of the given graph those that this one has: all.
  template <class Numbers>
  Numbers const& own_rows(Numbers const& numbers) const {
    return numbers;
  }

private:
  std::int64_t num_vertices_;
  grouping_copy<Context, csr_view<>> by_destination_;
  grouping_copy<Context, csc_view<>> by_source_;
};

}  // namespace edgewise::models
