// Plans for a capacity: what they refuse.
#pragma once

#include <edgewise/core/error.hpp>
#include <edgewise/format/graph_traits.hpp>
#include <edgewise/schedule/sizing.hpp>

namespace edgewise::inline v0::detail {

/// Refuses a graph that a plan has no room for.
inline void check_capacity(graph_counts counts, graph_counts capacity, sizing size) {
  if (size == sizing::exact) {
    throw invalid_argument("rebuild: this plan was made for one graph, make it with plan_for_capacity");
  }
  if (counts.types > capacity.types) {
    throw invalid_argument(
        text("rebuild: the graph has ", counts.types, " types of edges, the plan was made for ", capacity.types));
  }
  if (counts.destinations > capacity.destinations || counts.sources > capacity.sources ||
      counts.edges > capacity.edges) {
    throw invalid_argument(text("rebuild: the graph has ", counts.destinations, " destinations, ", counts.sources,
                                " sources and ", counts.edges, " edges, the plan was made for ", capacity.destinations,
                                ", ", capacity.sources, " and ", capacity.edges));
  }
}

/// Refuses to run a plan for a capacity that has been given no graph.
inline void check_rebuilt(bool is_rebuilt, char const* what) {
  if (!is_rebuilt)
    throw invalid_argument(text(what, ": this plan is for a capacity, call rebuild before its first pass"));
}

}  // namespace edgewise::inline v0::detail
