// Conversions between host formats. Edge ids survive all of them; multi-edges and self loops stay. On the device:
// format/convert.cuh, with the same results.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include <edgewise/core/resources.hpp>
#include <edgewise/format/coo.hpp>
#include <edgewise/format/csc.hpp>
#include <edgewise/format/csr.hpp>
#include <edgewise/format/for_each_edge.hpp>

namespace edgewise::inline v0 {

namespace detail {

/// Stable counting sort of a view's edges by the endpoint that Container groups by.
template <class Container, class View>
Container group_edges(cpu const& exec, View const& edges) {
  using index_type = typename Container::index_type;
  using offset_type = typename Container::offset_type;
  constexpr bool by_destination = Container::view_type::grouped_by == endpoint::destination;
  auto const num_rows = static_cast<std::size_t>(by_destination ? edges.num_destinations() : edges.num_sources());
  auto const num_edges = static_cast<std::size_t>(edges.num_edges);

  host_buffer<offset_type> offsets(num_rows + 1, exec.memory);
  std::fill(offsets.begin(), offsets.end(), offset_type{0});
  for_each_edge(edges, [&](offset_type, index_type source, index_type destination) {
    ++offsets[static_cast<std::size_t>(by_destination ? destination : source) + 1];
  });
  for (std::size_t row = 0; row < num_rows; ++row) offsets[row + 1] += offsets[row];

  host_buffer<offset_type> next(num_rows, exec.memory);  // the next free position of every row
  std::copy(offsets.begin(), offsets.begin() + num_rows, next.begin());
  host_buffer<index_type> neighbors(num_edges, exec.memory);
  host_buffer<offset_type> edge_ids(num_edges, exec.memory);
  for_each_edge(edges, [&](offset_type position, index_type source, index_type destination) {
    auto const at = static_cast<std::size_t>(next[static_cast<std::size_t>(by_destination ? destination : source)]++);
    neighbors[at] = by_destination ? source : destination;
    edge_ids[at] = edges.edge_id(position);
  });
  vertex_counts const counts{.sources = edges.num_sources(), .destinations = edges.num_destinations()};
  return {counts, std::move(offsets), std::move(neighbors), std::move(edge_ids)};
}

}  // namespace detail

/// The edges of a host graph grouped by destination. Edges of a row keep the order that they have in `edges`: from a
/// coo, ascending positions; from a csc, ascending sources. Ids are always written out. Linear time; reads valid views
/// only.
template <graph_view View>
csr<typename View::index_type, typename View::offset_type> to_csr(cpu const& exec, View const& edges) {
  return detail::group_edges<csr<typename View::index_type, typename View::offset_type>>(exec, edges);
}

/// The edges of a host graph grouped by source; order, ids and cost as `to_csr`.
template <graph_view View>
csc<typename View::index_type, typename View::offset_type> to_csc(cpu const& exec, View const& edges) {
  return detail::group_edges<csc<typename View::index_type, typename View::offset_type>>(exec, edges);
}

/// The edges of a host graph as pairs, in the order of their positions. Ids stay unwritten where `edges` has none.
template <graph_view View>
coo<typename View::index_type, typename View::offset_type> to_coo(cpu const& exec, View const& edges) {
  using index_type = typename View::index_type;
  using offset_type = typename View::offset_type;
  auto const num_edges = static_cast<std::size_t>(edges.num_edges);
  host_buffer<index_type> sources(num_edges, exec.memory);
  host_buffer<index_type> destinations(num_edges, exec.memory);
  host_buffer<offset_type> edge_ids(edges.edge_ids ? num_edges : 0, exec.memory);
  for_each_edge(edges, [&](offset_type position, index_type source, index_type destination) {
    sources[static_cast<std::size_t>(position)] = source;
    destinations[static_cast<std::size_t>(position)] = destination;
  });
  if (edges.edge_ids) std::copy_n(edges.edge_ids, num_edges, edge_ids.begin());
  vertex_counts const counts{.sources = edges.num_sources(), .destinations = edges.num_destinations()};
  return {counts, std::move(sources), std::move(destinations), std::move(edge_ids)};
}

/// A container converts as its view does, where `exec` can read it.
template <class Resource, graph_container Container>
auto to_csr(Resource const& exec, Container const& edges) {
  detail::require_same_space<Resource, Container>();
  return to_csr(exec, edges.view());
}
template <class Resource, graph_container Container>
auto to_csc(Resource const& exec, Container const& edges) {
  detail::require_same_space<Resource, Container>();
  return to_csc(exec, edges.view());
}
template <class Resource, graph_container Container>
auto to_coo(Resource const& exec, Container const& edges) {
  detail::require_same_space<Resource, Container>();
  return to_coo(exec, edges.view());
}

}  // namespace edgewise::inline v0
