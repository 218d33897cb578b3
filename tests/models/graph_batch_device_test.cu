#include "graph_batch_device_test.hpp"

#include <edgewise/format/convert.cuh>

#include "device_training.cuh"
#include "models/context.cuh"
#include "models/graph_batch.hpp"
#include "support/device.cuh"

namespace edgewise::testing {

batch_arrays batch_on_device(graph_arrays const& graphs, std::vector<std::int32_t> const& chosen) {
  device_stream const stream;
  device_context const context({.stream = stream.get()});
  models::graph_set<device_context> const set(context, graphs.vertex_offsets, graphs.edge_offsets, graphs.sources,
                                              graphs.destinations);
  models::graph_batch<device_context> const batch(context, set, chosen);
  return arrays_of_batch(batch, [&](std::int32_t const* data, std::int32_t size) {
    std::vector<std::int32_t> result(static_cast<std::size_t>(size));
    context.download(data, size, result.data());
    return result;
  });
}

}  // namespace edgewise::testing
