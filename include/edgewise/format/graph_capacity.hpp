// How large the graphs of a plan may be, where there is no graph yet.
#pragma once

#include <cstdint>
#include <type_traits>

#include <edgewise/format/graph.hpp>
#include <edgewise/format/vertex_counts.hpp>

namespace edgewise::inline v0 {

/// The most vertices and edges, and types of edges, that a plan is to have room for:
/// `plan_for_capacity(exec, in, {.sources = 4000, .destinations = 1000, .edges = 10000})`.
struct graph_capacity {
  std::int64_t sources = 0;
  std::int64_t destinations = 0;
  std::int64_t edges = 0;
  std::int64_t types = 0;
};

namespace detail {

/// A view of so many vertices and edges, and no arrays. Throws `invalid_argument` where its integers do not hold them.
template <class Index, class Offset>
csr_view<Index, Offset> sized(std::type_identity<csr_view<Index, Offset>>, graph_capacity const& most) {
  return {{nullptr, nullptr, nullptr, checked_count<Index>("plan_for_capacity", "destinations", most.destinations),
           checked_count<Index>("plan_for_capacity", "sources", most.sources),
           checked_count<Offset>("plan_for_capacity", "edges", most.edges)}};
}
template <class Index, class Offset>
csc_view<Index, Offset> sized(std::type_identity<csc_view<Index, Offset>>, graph_capacity const& most) {
  return {{nullptr, nullptr, nullptr, checked_count<Index>("plan_for_capacity", "sources", most.sources),
           checked_count<Index>("plan_for_capacity", "destinations", most.destinations),
           checked_count<Offset>("plan_for_capacity", "edges", most.edges)}};
}
template <class Index, class Offset>
coo_view<Index, Offset> sized(std::type_identity<coo_view<Index, Offset>>, graph_capacity const& most) {
  return {nullptr,
          nullptr,
          nullptr,
          checked_count<Index>("plan_for_capacity", "sources", most.sources),
          checked_count<Index>("plan_for_capacity", "destinations", most.destinations),
          checked_count<Offset>("plan_for_capacity", "edges", most.edges)};
}
template <class Index, class Offset>
typed_edges_view<Index, Offset> sized(std::type_identity<typed_edges_view<Index, Offset>>, graph_capacity const& most) {
  typed_edges_view<Index, Offset> view;
  view.num_rows = checked_count<Index>("plan_for_capacity", "types", most.types);
  view.num_neighbors = checked_count<Index>("plan_for_capacity", "destinations", most.destinations);
  view.source_count = checked_count<Index>("plan_for_capacity", "sources", most.sources);
  view.num_edges = checked_count<Offset>("plan_for_capacity", "edges", most.edges);
  return view;
}

template <class View>
concept sizeable = requires(graph_capacity const& most) {
  sized(std::type_identity<View>{}, most);
};
template <class... Format>
graph<Format...> graph_of(graph<Format...> const&, graph_capacity const& most) {
  static_assert(
      (sizeable<Format> && ...),
      "plan_for_capacity: numbers stand for csr, csc, coo and types of edges; of other formats give a graph of "
      "the largest sizes (format/graph_capacity.hpp)");
  return {sized(std::type_identity<Format>{}, most)...};
}

}  // namespace detail
}  // namespace edgewise::inline v0
