#include "argument_sources_cases.hpp"

#include <edgewise/edgewise.cuh>

#include "support/device.cuh"
#include "support/device_graph.cuh"

namespace edgewise::testing {

found_sources sources_on_device(test_graph const& graph, std::vector<float> const& features) {
  auto const size = static_cast<std::size_t>(graph.num_destinations * source_elements);
  device_stream const stream;
  device_graph<> const edges(graph);
  device_array<float> const in(features);
  device_array<float> values(std::vector<float>(size, -7));
  device_array<int> largest(std::vector<int>(size, -7));
  device_array<int> smallest(std::vector<int>(size, -7));
  find_sources(cuda{.stream = stream.get()}, edgewise::graph{edges.csr()}, graph.num_sources, graph.num_destinations,
               in.data(), values.data(), largest.data(), smallest.data());
  stream.synchronize();
  return {largest.values(), smallest.values()};
}

}  // namespace edgewise::testing
