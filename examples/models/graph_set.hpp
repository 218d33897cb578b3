// Many small graphs in the context's memory, for models that classify graphs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <edgewise/core/error.hpp>
#include <edgewise/core/memory.hpp>

namespace edgewise::models {

/// The edges of graphs, one graph after the other, by the numbers that vertices have within their graph. Features and
/// labels lie elsewhere: the vertices of graph g are rows [first_vertex(g), first_vertex(g + 1)) of all vertices.
template <class Context>
class graph_set {
public:
  using space = typename Context::space;

  /// Copies host arrays. Shapes: vertex_offsets and edge_offsets [graphs + 1], the vertices and edges before each
  /// graph; sources and destinations [E]. A graph may be without edges, or without vertices. Synchronises. Throws
  /// `invalid_argument` naming the first graph whose offsets fall or whose edge leaves it.
  graph_set(Context const& context, std::span<std::int32_t const> vertex_offsets,
            std::span<std::int32_t const> edge_offsets, std::span<std::int32_t const> sources,
            std::span<std::int32_t const> destinations)
      : vertex_offsets_(vertex_offsets.begin(), vertex_offsets.end()),
        edge_offsets_(edge_offsets.begin(), edge_offsets.end()) {
    check(sources, destinations);
    auto const num_edges = static_cast<std::int64_t>(sources.size());
    sources_ = context.template make_buffer<std::int32_t>(num_edges);
    destinations_ = context.template make_buffer<std::int32_t>(num_edges);
    context.upload(sources.data(), num_edges, sources_.data());
    context.upload(destinations.data(), num_edges, destinations_.data());
    context.synchronize();
  }

  std::int32_t num_graphs() const { return static_cast<std::int32_t>(vertex_offsets_.size()) - 1; }
  std::int32_t num_vertices() const { return vertex_offsets_.back(); }
  /// Vertices and edges before graph g, or before the end of all, on the host.
  std::int32_t first_vertex(std::int32_t g) const { return vertex_offsets_[static_cast<std::size_t>(g)]; }
  std::int32_t first_edge(std::int32_t g) const { return edge_offsets_[static_cast<std::size_t>(g)]; }
  std::int32_t const* sources() const { return sources_.data(); }
  std::int32_t const* destinations() const { return destinations_.data(); }

private:
  void check(std::span<std::int32_t const> sources, std::span<std::int32_t const> destinations) const {
    using edgewise::detail::text;
    if (vertex_offsets_.empty() || edge_offsets_.size() != vertex_offsets_.size() || vertex_offsets_[0] != 0 ||
        edge_offsets_[0] != 0) {
      throw invalid_argument(text("graph_set: ", vertex_offsets_.size(), " vertex offsets and ", edge_offsets_.size(),
                                  " edge offsets: there must be one more than there are graphs, the first 0"));
    }
    if (sources.size() != destinations.size() || static_cast<std::int64_t>(sources.size()) != edge_offsets_.back()) {
      throw invalid_argument(text("graph_set: ", sources.size(), " sources and ", destinations.size(),
                                  " destinations, but the last edge offset is ", edge_offsets_.back()));
    }
    for (std::int32_t g = 0; g < num_graphs(); ++g) {
      std::int32_t const size = first_vertex(g + 1) - first_vertex(g);
      if (size < 0 || first_edge(g + 1) < first_edge(g)) {
        throw invalid_argument(text("graph_set: the offsets of graph ", g, " fall"));
      }
    }
    for (std::int32_t g = 0; g < num_graphs(); ++g) {
      std::int32_t const size = first_vertex(g + 1) - first_vertex(g);
      for (auto e = static_cast<std::size_t>(first_edge(g)); e < static_cast<std::size_t>(first_edge(g + 1)); ++e) {
        if (sources[e] < 0 || sources[e] >= size || destinations[e] < 0 || destinations[e] >= size) {
          throw invalid_argument(text("graph_set: edge ", e, " of graph ", g, " goes ", sources[e], " -> ",
                                      destinations[e], ", but the graph has ", size, " vertices"));
        }
      }
    }
  }

  std::vector<std::int32_t> vertex_offsets_;
  std::vector<std::int32_t> edge_offsets_;
  buffer<std::int32_t, space> sources_;
  buffer<std::int32_t, space> destinations_;
};

}  // namespace edgewise::models
