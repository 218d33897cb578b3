// A batch of graphs: one graph of blocks, and which vertices each of them has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <edgewise/core/config.hpp>
#include <edgewise/core/error.hpp>
#include <edgewise/core/memory.hpp>
#include <edgewise/format/convert.hpp>
#include <edgewise/format/coo.hpp>
#include <edgewise/format/csc.hpp>
#include <edgewise/format/csr.hpp>
#include <edgewise/format/graph.hpp>

#include "models/graph_set.hpp"
#include "models/matrix.hpp"
#include "models/uploaded.hpp"

namespace edgewise::models {
namespace detail {

/// Which block of [offsets[b], offsets[b + 1]) an element of all blocks is in; blocks may be empty.
EDGEWISE_HD std::int32_t block_of(std::int32_t const* offsets, std::int32_t num_blocks, std::int64_t element) {
  std::int32_t first = 0, last = num_blocks;  // offsets[first] <= element < offsets[last]
  while (last - first > 1) {
    std::int32_t const middle = first + (last - first) / 2;
    (offsets[middle] <= element ? first : last) = middle;
  }
  return first;
}

/// Where the blocks of a batch begin, in the batch and in the set of graphs.
struct batch_offsets {
  std::int32_t num_graphs;
  std::int32_t const* vertices;  // [graphs + 1], in the batch
  std::int32_t const* edges;
  std::int32_t const* set_vertices;  // [graphs], in the set
  std::int32_t const* set_edges;
};

struct shift_edges {
  batch_offsets blocks;
  std::int32_t const* set_sources;
  std::int32_t const* set_destinations;
  std::int32_t* sources;
  std::int32_t* destinations;
  EDGEWISE_HD void operator()(std::int64_t e) const {
    std::int32_t const g = block_of(blocks.edges, blocks.num_graphs, e);
    std::int64_t const from = blocks.set_edges[g] + (e - blocks.edges[g]);
    sources[e] = blocks.vertices[g] + set_sources[from];
    destinations[e] = blocks.vertices[g] + set_destinations[from];
  }
};

struct number_vertices {
  batch_offsets blocks;
  std::int32_t* vertices;
  std::int32_t* rows;
  EDGEWISE_HD void operator()(std::int64_t v) const {
    std::int32_t const g = block_of(blocks.vertices, blocks.num_graphs, v);
    vertices[v] = static_cast<std::int32_t>(v);
    rows[v] = blocks.set_vertices[g] + static_cast<std::int32_t>(v - blocks.vertices[g]);
  }
};

template <class T>
struct take_rows {
  std::int32_t const* rows;
  std::int64_t cols;
  T const* x;
  T* y;
  EDGEWISE_HD void operator()(std::int64_t i) const { y[i] = x[rows[i / cols] * cols + i % cols]; }
};

}  // namespace detail

/// Some graphs of a set as one graph without edges between them, the adjacency being block-diagonal: vertices of the
/// first graph come first. `graph()` is what messages pass over, `members()` the bipartite graph from vertices to the
/// graphs that they belong to, over which a gather is a readout. A graph without vertices is a row of `members()`
/// without edges: its sum, mean, maximum and softmax-weighted sum are 0. On a device include
/// edgewise/format/convert.cuh, too.
template <class Context>
class graph_batch {
public:
  using space = typename Context::space;

  /// `chosen` lists graphs of the set, which may repeat; none make a batch without vertices. Made in the context's
  /// memory by loops and conversions there; only offsets are computed on the host. Allocates and synchronises. Throws
  /// `invalid_argument` naming the first graph that the set does not have, or where the batch is too large for int32.
  graph_batch(Context const& context, graph_set<Context> const& set, std::span<std::int32_t const> chosen)
      : num_set_vertices_(set.num_vertices()) {
    std::vector<std::int32_t> vertices{0}, edges{0}, set_vertices, set_edges;
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      std::int32_t const g = chosen[k];
      if (g < 0 || g >= set.num_graphs()) {
        throw invalid_argument(edgewise::detail::text("graph_batch: chosen[", k, "] = ", g, ", but there are ",
                                                      set.num_graphs(), " graphs"));
      }
      set_vertices.push_back(set.first_vertex(g));
      set_edges.push_back(set.first_edge(g));
      vertices.push_back(next_offset("vertices", vertices.back(), set.first_vertex(g), set.first_vertex(g + 1)));
      edges.push_back(next_offset("edges", edges.back(), set.first_edge(g), set.first_edge(g + 1)));
    }
    std::int32_t const num_graphs = static_cast<std::int32_t>(chosen.size());
    std::int32_t const num_vertices = vertices.back(), num_edges = edges.back();
    auto vertex_offsets = uploaded(context, vertices);
    auto const edge_offsets = uploaded(context, edges), first_vertices = uploaded(context, set_vertices),
               first_edges = uploaded(context, set_edges);
    detail::batch_offsets const blocks{num_graphs, vertex_offsets.data(), edge_offsets.data(), first_vertices.data(),
                                       first_edges.data()};

    auto sources = context.template make_buffer<std::int32_t>(num_edges);
    auto destinations = context.template make_buffer<std::int32_t>(num_edges);
    context.for_each(
        num_edges, detail::shift_edges{blocks, set.sources(), set.destinations(), sources.data(), destinations.data()});
    coo<std::int32_t, std::int32_t, space> const all({.sources = num_vertices, .destinations = num_vertices},
                                                     std::move(sources), std::move(destinations));
    by_destination_ = to_csr(context.resource(), all.view());
    by_source_ = to_csc(context.resource(), all.view());

    auto members = context.template make_buffer<std::int32_t>(num_vertices);
    rows_ = context.template make_buffer<std::int32_t>(num_vertices);
    context.for_each(num_vertices, detail::number_vertices{blocks, members.data(), rows_.data()});
    members_ = csr<std::int32_t, std::int32_t, space>({.sources = num_vertices, .destinations = num_graphs},
                                                      std::move(vertex_offsets), std::move(members));
    graphs_of_vertices_ = to_csc(context.resource(), members_.view());
    context.synchronize();
  }

  std::int32_t num_graphs() const { return members_.num_destinations(); }
  std::int32_t num_vertices() const { return members_.num_sources(); }
  /// The edges within the graphs. An edge's id is its place among the edges of the chosen graphs, one after the other.
  edgewise::graph<csr_view<>, csc_view<>> graph() const { return {by_destination_.view(), by_source_.view()}; }
  /// An edge from each vertex to its graph, whose id is the vertex.
  edgewise::graph<csr_view<>, csc_view<>> members() const { return {members_.view(), graphs_of_vertices_.view()}; }
  /// Which vertex of the set each vertex of the batch is, [V].
  std::int32_t const* rows() const { return rows_.data(); }

  /// y[v] = x[rows()[v]]: the features of the batch out of those of the set. Shapes: x [vertices of the set, C],
  /// y [V, C]. Asynchronous on a CUDA context. Throws `invalid_argument` on other shapes.
  template <class T>
  void take_rows(Context const& context, matrix_view<T const, space> x, matrix_view<T, space> y) const {
    require_shape("graph_batch: x", x, num_set_vertices_, x.cols);
    require_shape("graph_batch: y", y, num_vertices(), x.cols);
    context.for_each(y.size(), detail::take_rows<T>{rows_.data(), x.cols, x.data, y.data});
  }

private:
  static std::int32_t next_offset(char const* what, std::int32_t before, std::int32_t first, std::int32_t last) {
    return edgewise::detail::checked_count<std::int32_t>("graph_batch", what, std::int64_t{before} + last - first);
  }

  std::int64_t num_set_vertices_;
  csr<std::int32_t, std::int32_t, space> by_destination_;
  csc<std::int32_t, std::int32_t, space> by_source_;
  csr<std::int32_t, std::int32_t, space> members_;
  csc<std::int32_t, std::int32_t, space> graphs_of_vertices_;
  buffer<std::int32_t, space> rows_;
};

}  // namespace edgewise::models
