// A square graph in the context's memory whose edges have types: both groupings, and the edges by type.
#pragma once

#include <cstdint>
#include <span>

#include <edgewise/core/resources.hpp>
#include <edgewise/format/csc.hpp>
#include <edgewise/format/csr.hpp>
#include <edgewise/format/graph.hpp>
#include <edgewise/format/typed_edges.hpp>

#include "models/square_graph.hpp"
#include "models/uploaded.hpp"

namespace edgewise::models {

/// Owns copies. A rank of several has a part of them (ranked_context.hpp).
template <class Context>
class typed_groupings {
public:
  using space = typename Context::space;

  /// Copies two host groupings of the same edges, and the edges by type. Synchronises. Throws what `square_graph` does.
  typed_groupings(Context const& context, csr_view<> const& by_destination, csc_view<> const& by_source,
                  typed_edges<> const& by_type)
      : groupings_(context, by_destination, by_source),
        types_(by_type.counts(), by_type.num_types(),
               {.offsets = uploaded(context, by_type.offsets()),
                .sources = uploaded(context, by_type.sources()),
                .destinations = uploaded(context, by_type.destinations()),
                .edge_ids = uploaded(context, by_type.edge_ids()),
                .edge_types = uploaded(context, by_type.edge_types())}) {
    context.synchronize();
  }

  std::int64_t num_vertices() const { return groupings_.num_vertices(); }
  std::int64_t num_edges() const { return types_.num_edges(); }
  std::int64_t num_types() const { return types_.num_types(); }

  /// Both groupings and the types as kernels see them.
  graph<csr_view<>, csc_view<>, typed_edges_view<>> view() const {
    auto const both = groupings_.view();
    return {both.first, both.second, types_.view()};
  }
  /// Of numbers of the edges of the given graph those that this one has: all.
  template <class Numbers>
  Numbers const& own_edges(Numbers const& numbers) const {
    return numbers;
  }

private:
  square_graph<Context> groupings_;
  typed_edges<std::int32_t, std::int32_t, space> types_;
};

}  // namespace edgewise::models
