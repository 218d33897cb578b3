// A square graph in the context's memory with the degree factors of a symmetrically normalised adjacency.
#pragma once

#include <cstdint>

#include <edgewise/core/error.hpp>
#include <edgewise/core/memory.hpp>
#include <edgewise/execute/resources.hpp>
#include <edgewise/format/csc.hpp>
#include <edgewise/format/csr.hpp>
#include <edgewise/format/graph.hpp>
#include <edgewise/format/normalize.hpp>

namespace edgewise::models {

/// Both groupings of a graph and, per vertex, 1 / sqrt(1 + in-degree) and 1 / sqrt(1 + out-degree): the 1 is a self
/// loop that no format stores. On an undirected graph the two factors are equal.
template <class T, class Context>
class normalized_graph {
public:
  using space = typename Context::space;

  /// Copies two host groupings of the same edges. Synchronises. Throws `invalid_argument` unless the graph is square
  /// and both groupings have its extents; the arrays themselves are believed.
  normalized_graph(Context const& context, csr_view<> const& by_destination, csc_view<> const& by_source)
      : num_vertices_(by_destination.num_rows) {
    if (by_source.num_rows != by_destination.num_neighbors || by_source.num_neighbors != by_destination.num_rows ||
        by_source.num_edges != by_destination.num_edges) {
      throw invalid_argument(edgewise::detail::text("normalized_graph: csr has ", by_destination.num_rows, " rows and ",
                                                    by_destination.num_edges, " edges, csc has ", by_source.num_rows,
                                                    " rows and ", by_source.num_edges, ": not the same graph"));
    }
    auto const factors = normalize_vertices<T>(cpu{}, by_destination,
                                               {.mode = normalization::both, .self_loop = virtual_self_loop::present});
    copy(context, by_destination, factors.destination, destination_);
    copy(context, by_source, factors.source, source_);
    context.synchronize();
  }

  std::int64_t num_vertices() const { return num_vertices_; }

  /// Both groupings as kernels see them, without edge ids: the factors belong to vertices.
  graph<csr_view<>, csc_view<>> view() const {
    return {grouping_of<csr_view<>>(destination_), grouping_of<csc_view<>>(source_)};
  }
  /// 1 / sqrt(1 + in-degree), [V].
  T const* destination_factor() const { return destination_.factor.data(); }
  /// 1 / sqrt(1 + out-degree), [V].
  T const* source_factor() const { return source_.factor.data(); }

private:
  struct grouping {
    buffer<std::int32_t, space> offsets;
    buffer<std::int32_t, space> neighbors;
    buffer<T, space> factor;
  };

  static void copy(Context const& context, grouping_view<> const& host, host_buffer<T> const& factor, grouping& to) {
    // Views of a graph without vertices may have null offsets; one zero stands for them.
    static constexpr std::int32_t zero = 0;
    to.offsets = context.template make_buffer<std::int32_t>(std::int64_t{host.num_rows} + 1);
    to.neighbors = context.template make_buffer<std::int32_t>(host.num_edges);
    to.factor = context.template make_buffer<T>(host.num_rows);
    context.upload(host.num_rows == 0 ? &zero : host.offsets, std::int64_t{host.num_rows} + 1, to.offsets.data());
    context.upload(host.neighbors, host.num_edges, to.neighbors.data());
    context.upload(factor.data(), host.num_rows, to.factor.data());
  }

  template <class View>
  View grouping_of(grouping const& from) const {
    View result;
    result.offsets = from.offsets.data();
    result.neighbors = from.neighbors.data();
    result.num_rows = result.num_neighbors = num_vertices_;
    result.num_edges = static_cast<std::int32_t>(from.neighbors.size());
    return result;
  }

  std::int32_t num_vertices_;
  grouping destination_;
  grouping source_;
};

}  // namespace edgewise::models
