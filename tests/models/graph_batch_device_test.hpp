// What graph_batch_device_test.cu makes on the device for graph_batch_device_test.cpp to judge.
#pragma once

#include <cstdint>
#include <vector>

namespace edgewise::testing {

/// The arrays of a set of graphs, on the host.
struct graph_arrays {
  std::vector<std::int32_t> vertex_offsets, edge_offsets, sources, destinations;
};

/// The arrays of a batch: of both groupings of its edges, of its members, and its rows.
struct batch_arrays {
  std::vector<std::int32_t> by_destination, by_source, members, graphs_of_vertices, rows;
  bool operator==(batch_arrays const&) const = default;
};

/// One grouping as one array: offsets, neighbors and ids. `download(pointer, size)` gives a vector.
template <class View, class Download>
std::vector<std::int32_t> arrays_of(View const& view, Download const& download) {
  std::vector<std::int32_t> result = download(view.offsets, view.num_rows + 1);
  auto const neighbors = download(view.neighbors, view.num_edges);
  result.insert(result.end(), neighbors.begin(), neighbors.end());
  auto const ids = view.edge_ids == nullptr ? std::vector<std::int32_t>() : download(view.edge_ids, view.num_edges);
  for (std::int32_t k = 0; k < view.num_edges; ++k) {
    result.push_back(ids.empty() ? k : ids[static_cast<std::size_t>(k)]);
  }
  return result;
}
template <class Batch, class Download>
batch_arrays arrays_of_batch(Batch const& batch, Download const& download) {
  return {arrays_of(batch.graph().first, download), arrays_of(batch.graph().second, download),
          arrays_of(batch.members().first, download), arrays_of(batch.members().second, download),
          download(batch.rows(), batch.num_vertices())};
}

batch_arrays batch_on_device(graph_arrays const& graphs, std::vector<std::int32_t> const& chosen);

}  // namespace edgewise::testing
