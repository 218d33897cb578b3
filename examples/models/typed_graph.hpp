// A square graph in the context's memory with types of edges and the weights by which R-GCN takes means of each type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <edgewise/core/memory.hpp>
#include <edgewise/core/resources.hpp>
#include <edgewise/format/csc.hpp>
#include <edgewise/format/csr.hpp>
#include <edgewise/format/typed_edges.hpp>

#include "models/typed_groupings.hpp"
#include "models/uploaded.hpp"

namespace edgewise::models {

/// Both groupings of a graph, its edges by type and, for each edge, 1 / the number of edges of its type that its
/// destination has.
template <class T, class Context>
class typed_graph {
public:
  using space = typename Context::space;

  /// Copies two host groupings of the same edges. `types`: the type of each edge, by edge id, below `num_types`.
  /// Synchronises. Throws what `square_graph` and `to_typed_edges` do.
  typed_graph(Context const& context, csr_view<> const& by_destination, csc_view<> const& by_source,
              std::span<std::int32_t const> types, std::int64_t num_types)
      : typed_graph(context, by_destination, by_source, to_typed_edges(cpu{}, by_destination, types, num_types)) {}

  /// Of a rank, those of its part.
  std::int64_t num_vertices() const { return groupings_.num_vertices(); }
  std::int64_t num_edges() const { return groupings_.num_edges(); }
  std::int64_t num_types() const { return groupings_.num_types(); }
  typed_groupings<Context> const& groupings() const { return groupings_; }

  /// Both groupings and the types as kernels see them.
  decltype(auto) view() const { return groupings_.view(); }
  /// 1 / the edges of the type of edge e into its destination, [E] by edge id.
  T const* edge_weight() const { return edge_weight_.data(); }
  /// The weight of each vertex's self edge, which is the only one of its type: 1, [V].
  T const* self_weight() const { return self_weight_.data(); }

private:
  typed_graph(Context const& context, csr_view<> const& by_destination, csc_view<> const& by_source,
              typed_edges<> const& by_type)
      : groupings_(context, by_destination, by_source, by_type),
        edge_weight_(uploaded(context, groupings_.own_edges(inverse_counts(by_type.view())))),
        self_weight_(uploaded(context, std::vector<T>(static_cast<std::size_t>(num_vertices()), T{1}))) {
    context.synchronize();
  }
  static std::vector<T> inverse_counts(typed_edges_view<> const& edges) {
    std::vector<T> result(static_cast<std::size_t>(edges.num_edges));
    std::vector<std::int32_t> counts(static_cast<std::size_t>(edges.num_destinations()));
    for (std::int32_t type = 0; type < edges.num_types(); ++type) {
      std::int32_t const begin = edges.offsets[type], end = edges.offsets[type + 1];
      for (std::int32_t k = begin; k < end; ++k) ++counts[static_cast<std::size_t>(edges.neighbors[k])];
      for (std::int32_t k = begin; k < end; ++k) {
        result[static_cast<std::size_t>(edges.edge_id(k))] =
            T{1} / static_cast<T>(counts[static_cast<std::size_t>(edges.neighbors[k])]);
      }
      for (std::int32_t k = begin; k < end; ++k) counts[static_cast<std::size_t>(edges.neighbors[k])] = 0;
    }
    return result;
  }

  typed_groupings<Context> groupings_;
  buffer<T, space> edge_weight_;
  buffer<T, space> self_weight_;
};

}  // namespace edgewise::models
