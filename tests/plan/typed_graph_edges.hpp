// Test graphs whose edges have types, for runs of programs that read operands by type.
#pragma once

#include <vector>

#include <edgewise/format/graph.hpp>

#include "support/test_graph.hpp"

namespace edgewise::testing {

/// The edges of a test graph by type, as plain arrays; built by pushing edges into lists, not by the library.
template <class Offset>
struct typed_lists {
  std::vector<Offset> offsets{0};
  std::vector<int> sources;
  std::vector<int> destinations;
  std::vector<Offset> edge_ids;
  std::vector<int> edge_types;

  explicit typed_lists(test_graph const& graph) {
    for (int e = 0; e < graph.num_edges(); ++e) edge_types.push_back(graph.type_of(e));
    for (int type = 0; type < graph.num_types; ++type) {
      for (int e = 0; e < graph.num_edges(); ++e) {
        if (edge_types[e] != type) continue;
        sources.push_back(graph.sources[e]);
        destinations.push_back(graph.destinations[e]);
        edge_ids.push_back(e);
      }
      offsets.push_back(static_cast<Offset>(sources.size()));
    }
  }
};

/// Edges in both groupings and by type, and the mapping over them.
template <class Mapping>
struct typed_graph_edges {
  Mapping mapping;

  template <class Offset, class Machine, class F>
  auto with_graph(Machine const& machine, test_graph const& edges, F const& f) const {
    typename Machine::template graph_arrays<Offset> const arrays(edges);
    typed_lists<Offset> const lists(edges);
    auto const offsets = machine.upload(lists.offsets);
    auto const sources = machine.upload(lists.sources);
    auto const destinations = machine.upload(lists.destinations);
    auto const ids = machine.upload(lists.edge_ids);
    auto const types = machine.upload(lists.edge_types);
    typed_edges_view<int, Offset> const by_type{
        {offsets.data(), destinations.data(), ids.data(), edges.num_types, edges.num_destinations,
         static_cast<Offset>(edges.num_edges()), types.data(), sources.data()},
        edges.num_sources};
    return f(graph{arrays.csr(), arrays.csc(), by_type}, mapping);
  }
};

}  // namespace edgewise::testing
