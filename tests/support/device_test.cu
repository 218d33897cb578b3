#include "device_test.hpp"

#include <cstdint>

#include "device.cuh"
#include "device_graph.cuh"

namespace edgewise::testing {
namespace {

__global__ void write_doubled(float const* input, std::ptrdiff_t size, float* output, std::ptrdiff_t first,
                              std::ptrdiff_t last) {
  for (std::ptrdiff_t i = first; i < last; ++i) output[i] = i >= 0 && i < size ? 2 * input[i] : 1.0f;
}

template <class View>
__global__ void read_rows(View view, int* rows, int* neighbors) {
  for (int row = 0; row < view.num_rows; ++row) {
    for (auto k = view.offsets[row]; k < view.offsets[row + 1]; ++k) {
      rows[view.edge_id(k)] = row;
      neighbors[view.edge_id(k)] = view.neighbors[k];
    }
  }
}

__global__ void read_coo(coo_view<int, std::int64_t> view, int* rows, int* neighbors) {
  for (std::int64_t k = 0; k < view.num_edges; ++k) {
    rows[view.edge_id(k)] = view.destinations[k];
    neighbors[view.edge_id(k)] = view.sources[k];
  }
}

template <class View>
device_edges edges_of_rows(View const& view) {
  device_stream stream;
  guarded_device_output<int> rows(view.num_edges);
  guarded_device_output<int> neighbors(view.num_edges);
  read_rows<<<1, 1, 0, stream.get()>>>(view, rows.data(), neighbors.data());
  check_cuda(cudaGetLastError(), "read_rows");
  return {rows.values(), neighbors.values()};
}

}  // namespace

std::vector<float> round_trip(std::vector<float> const& values) { return upload(values).values(); }

device_result doubled(std::vector<float> const& input, std::ptrdiff_t first, std::ptrdiff_t last) {
  device_stream stream;
  auto const device_input = upload(input);
  guarded_device_output<float> output(input.size());
  write_doubled<<<1, 1, 0, stream.get()>>>(device_input.data(), static_cast<std::ptrdiff_t>(input.size()),
                                           output.data(), first, last);
  check_cuda(cudaGetLastError(), "write_doubled");
  stream.synchronize();
  return {output.values(), output.damage()};
}

device_result poisoned_again(std::size_t size) {
  guarded_device_output<float> output(size);
  write_doubled<<<1, 1>>>(nullptr, 0, output.data(), 0, static_cast<std::ptrdiff_t>(size));
  check_cuda(cudaGetLastError(), "write_doubled");
  output.poison();
  return {output.values(), output.damage()};
}

device_edges edges_of_csr(test_graph const& graph) {
  device_graph<std::int64_t> const device(graph);
  return edges_of_rows(device.csr());
}

device_edges edges_of_csc(test_graph const& graph) {
  device_graph<std::int64_t> const device(graph);
  return edges_of_rows(device.csc());
}

device_edges edges_of_coo(test_graph const& graph) {
  device_graph<std::int64_t> const device(graph);
  guarded_device_output<int> rows(graph.num_edges());
  guarded_device_output<int> neighbors(graph.num_edges());
  read_coo<<<1, 1>>>(device.coo(), rows.data(), neighbors.data());
  check_cuda(cudaGetLastError(), "read_coo");
  return {rows.values(), neighbors.values()};
}

}  // namespace edgewise::testing
