// A square graph in the context's memory: both groupings of its edges.
#pragma once

#include <cstdint>

#include <edgewise/core/error.hpp>
#include <edgewise/core/memory.hpp>
#include <edgewise/format/csc.hpp>
#include <edgewise/format/csr.hpp>
#include <edgewise/format/graph.hpp>

namespace edgewise::models {

/// Owns copies of a csr and a csc of the same edges, with edge ids where the originals have them: a message that drops
/// by edge needs the same ids in both.
template <class Context>
class square_graph {
public:
  using space = typename Context::space;

  /// Copies two host groupings. Synchronises. Throws `invalid_argument` unless the graph is square and both groupings
  /// have its extents; the arrays themselves are believed.
  square_graph(Context const& context, csr_view<> const& by_destination, csc_view<> const& by_source)
      : num_vertices_(by_destination.num_rows) {
    if (by_destination.num_neighbors != num_vertices_) {
      throw invalid_argument(edgewise::detail::text("square_graph: the graph has ", by_destination.num_neighbors,
                                                    " sources and ", num_vertices_,
                                                    " destinations: a model needs one set of vertices"));
    }
    if (by_source.num_rows != num_vertices_ || by_source.num_neighbors != num_vertices_ ||
        by_source.num_edges != by_destination.num_edges) {
      throw invalid_argument(edgewise::detail::text("square_graph: csr has ", num_vertices_, " rows and ",
                                                    by_destination.num_edges, " edges, csc has ", by_source.num_rows,
                                                    " rows and ", by_source.num_edges, ": not the same graph"));
    }
    copy(context, by_destination, by_destination_);
    copy(context, by_source, by_source_);
    context.synchronize();
  }

  std::int64_t num_vertices() const { return num_vertices_; }

  /// Both groupings as kernels see them.
  graph<csr_view<>, csc_view<>> view() const {
    return {view_of<csr_view<>>(by_destination_), view_of<csc_view<>>(by_source_)};
  }

private:
  struct grouping {
    buffer<std::int32_t, space> offsets;
    buffer<std::int32_t, space> neighbors;
    buffer<std::int32_t, space> edge_ids;  // empty where ids are positions
  };

  static void copy(Context const& context, grouping_view<> const& host, grouping& to) {
    // Views of a graph without vertices may have null offsets; one zero stands for them.
    static constexpr std::int32_t zero = 0;
    to.offsets = context.template make_buffer<std::int32_t>(std::int64_t{host.num_rows} + 1);
    to.neighbors = context.template make_buffer<std::int32_t>(host.num_edges);
    context.upload(host.num_rows == 0 ? &zero : host.offsets, std::int64_t{host.num_rows} + 1, to.offsets.data());
    context.upload(host.neighbors, host.num_edges, to.neighbors.data());
    if (host.edge_ids == nullptr) return;
    to.edge_ids = context.template make_buffer<std::int32_t>(host.num_edges);
    context.upload(host.edge_ids, host.num_edges, to.edge_ids.data());
  }

  template <class View>
  View view_of(grouping const& from) const {
    View result;
    result.offsets = from.offsets.data();
    result.neighbors = from.neighbors.data();
    result.edge_ids = from.edge_ids.data();
    result.num_rows = result.num_neighbors = num_vertices_;
    result.num_edges = static_cast<std::int32_t>(from.neighbors.size());
    return result;
  }

  std::int32_t num_vertices_;
  grouping by_destination_;
  grouping by_source_;
};

}  // namespace edgewise::models
