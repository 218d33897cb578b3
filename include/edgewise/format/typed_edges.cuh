// Edges by type on the device, the same results as format/typed_edges.hpp. Behind its own include, as
// format/convert.cuh is.
#pragma once

#include <cstdint>
#include <utility>

#include <edgewise/core/type_list.hpp>
#include <edgewise/format/convert.cuh>
#include <edgewise/format/typed_edges.hpp>

namespace edgewise::inline v0 {

namespace detail {

/// The type of the edge at every position.
template <class Index, class Offset>
__global__ void find_types(Index const* types, Offset const* edge_ids, std::int64_t num_edges, Index* type_of) {
  for (auto k = convert_first(); k < num_edges; k += convert_stride()) type_of[k] = types[edge_ids ? edge_ids[k] : k];
}

/// Moves one array of the edges to where the sort put them.
template <class Index, class Offset>
__global__ void permute_ends(Offset const* positions, Index const* from, std::int64_t num_edges, Index* to) {
  for (auto k = convert_first(); k < num_edges; k += convert_stride()) to[k] = from[positions[k]];
}

/// The ends of edges at their positions. `rows`: keeps those that a format does not have as an array.
template <class Index, class Offset>
coo_view<Index, Offset> ends_of(cuda const&, coo_view<Index, Offset> const& edges, device_buffer<Index>&) {
  return edges;
}
template <grouped_view View>
coo_view<typename View::index_type, typename View::offset_type> ends_of(
    cuda const& exec, View const& grouping, device_buffer<typename View::index_type>& rows) {
  rows = device_row_of(exec, grouping);
  constexpr bool by_destination = View::grouped_by == endpoint::destination;
  return {by_destination ? grouping.neighbors : rows.data(),
          by_destination ? rows.data() : grouping.neighbors,
          grouping.edge_ids,
          grouping.num_sources(),
          grouping.num_destinations(),
          grouping.num_edges};
}

}  // namespace detail

/// The edges of a device graph by type. `types`: the type of each edge, by edge id, [num_edges] in device memory; they
/// are below `num_types`, which is believed. Asynchronous on `exec.stream`; results and temporary arrays come from
/// `exec.memory`. Throws `invalid_argument` where arrays are in memory of the host or of another device, `cuda_error`.
template <graph_view View>
typed_edges<typename View::index_type, typename View::offset_type, device_space> to_typed_edges(
    cuda const& exec, View const& edges, typename View::index_type const* types, std::int64_t num_types) {
  using Index = typename View::index_type;
  using Offset = typename View::offset_type;
  detail::device_call const call(exec, "to_typed_edges");
  detail::checked_count<Index>("typed_edges", "num_types", num_types);
  detail::check_device_edges(call, edges);
  auto const num_edges = static_cast<std::int64_t>(edges.num_edges);
  call.check(types, edges.num_edges, "types");
  auto* const memory = detail::memory_of(exec);
  auto const make = [&]<class T>(std::int64_t count, type_tag<T>) {
    return device_buffer<T>(static_cast<std::size_t>(count), memory, exec.stream);
  };
  device_buffer<Index> rows;
  auto const ends = detail::ends_of(exec, edges, rows);
  typename typed_edges<Index, Offset, device_space>::arrays made{.offsets = make(num_types + 1, type_tag<Offset>{}),
                                                                 .sources = make(num_edges, type_tag<Index>{}),
                                                                 .destinations = make(num_edges, type_tag<Index>{}),
                                                                 .edge_ids = make(num_edges, type_tag<Offset>{}),
                                                                 .edge_types = make(num_edges, type_tag<Index>{})};
  auto type_of = make(num_edges, type_tag<Index>{});
  auto space = detail::make_passing([&] { return detail::sort_space<Index, Offset>(exec, num_types, num_edges); });
  auto const blocks = detail::convert_blocks(num_edges);
  if (num_edges > 0) {
    check_cuda(cudaMemcpyAsync(made.edge_types.data(), types, made.edge_types.size_bytes(), cudaMemcpyDeviceToDevice,
                               exec.stream),
               "to_typed_edges: cudaMemcpyAsync");
    detail::launch_kernel("to_typed_edges: find_types", detail::find_types<Index, Offset>, blocks,
                          detail::convert_threads, exec.stream, types, ends.edge_ids, num_edges, type_of.data());
  }
  detail::group_into(
      exec, num_types, type_of.data(), ends.destinations, ends.edge_ids, num_edges,
      detail::grouping_arrays<Index, Offset>{made.offsets.data(), made.destinations.data(), made.edge_ids.data()},
      space);
  if (num_edges > 0) {
    detail::launch_kernel("to_typed_edges: permute_ends", detail::permute_ends<Index, Offset>, blocks,
                          detail::convert_threads, exec.stream, space.sorted_positions.data(), ends.sources, num_edges,
                          made.sources.data());
  }
  return {detail::counts_of(edges), num_types, std::move(made)};
}
template <graph_container Container>
auto to_typed_edges(cuda const& exec, Container const& edges, typename Container::index_type const* types,
                    std::int64_t num_types) {
  detail::require_same_space<cuda, Container>();
  return to_typed_edges(exec, edges.view(), types, num_types);
}

}  // namespace edgewise::inline v0
