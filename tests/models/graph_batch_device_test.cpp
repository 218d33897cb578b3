#include "graph_batch_device_test.hpp"

#include "support/catch.hpp"

#include "host_matrix.hpp"
#include "models/graph_batch.hpp"
#include "support/device.hpp"
#include "support/random.hpp"

namespace edgewise::testing {
namespace {

TEST_CASE("a batch made on a device is that of the host", "[models][gpu]") {
  skip_without_cuda_device();
  random_stream random("batches");
  graph_arrays graphs{{0}, {0}, {}, {}};
  for (int g = 0; g < 50; ++g) {
    int const size = g % 7 == 3 ? 0 : 1 + random.below(20), edges = size == 0 ? 0 : random.below(60);
    for (int e = 0; e < edges; ++e) {
      graphs.sources.push_back(random.below(size));
      graphs.destinations.push_back(random.below(size));
    }
    graphs.vertex_offsets.push_back(graphs.vertex_offsets.back() + size);
    graphs.edge_offsets.push_back(graphs.edge_offsets.back() + edges);
  }
  host_context const context;
  models::graph_set<host_context> const set(context, graphs.vertex_offsets, graphs.edge_offsets, graphs.sources,
                                            graphs.destinations);
  for (auto const& chosen : std::vector<std::vector<std::int32_t>>{{}, {3}, {3, 0, 10, 49, 0}, {7, 8, 9, 10, 11, 12}}) {
    models::graph_batch<host_context> const batch(context, set, chosen);
    auto const expected = arrays_of_batch(batch, [](std::int32_t const* data, std::int32_t size) {
      return std::vector<std::int32_t>(data, data + size);
    });
    CHECK(batch_on_device(graphs, chosen) == expected);
  }
}

}  // namespace
}  // namespace edgewise::testing
